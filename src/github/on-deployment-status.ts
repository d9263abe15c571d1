import type { DeploymentStatusEvent } from '@octokit/webhooks-types';
import type { Db } from '../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { hearOfPreview } from './hear-of-preview.ts';
import { isProduction, previewUrlOf } from './preview-address.ts';
import { repositoryKey } from './pull-request.ts';

/** Contract 7.11: a success outside production tells where the preview is. The commit decides whose it is: lists of pull requests are empty for forks. */
export async function onDeploymentStatus(
  trx: Db,
  ctx: HandlerContext,
  { deployment, deployment_status: status, repository }: DeploymentStatusEvent,
): Promise<void> {
  if (status.state !== 'success' || isProduction(deployment)) return;
  const url = previewUrlOf(status.environment_url) ?? previewUrlOf(status.target_url);
  if (url === null) return;
  await hearOfPreview(trx, ctx, {
    ...repositoryKey(repository),
    headSha: deployment.sha.toLowerCase(),
    source: 'DEPLOYMENT',
    name: deployment.environment,
    url,
  });
}
