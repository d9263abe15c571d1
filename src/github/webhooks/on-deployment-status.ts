import type { DeploymentStatusEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordFailedDeployment, recordPreview } from '../previews/record-preview.ts';
import { isProduction, parsePreviewUrl } from '../previews/preview-address.ts';
import { repositoryKey } from './pull-request-news.ts';

type StatusPayload = Pick<DeploymentStatusEvent, 'deployment' | 'deployment_status'>;

/** Null for production. A status can move its deployment to another environment than the original one. */
function readEnvironment({ deployment, deployment_status: status }: StatusPayload): string | null {
  const { environment, production_environment } = deployment;
  const names = typeof status.environment === 'string' ? [status.environment, environment] : [environment];
  return names.find((name) => !isProduction({ environment: name, production_environment })) ?? null;
}

/**
 * Contract 7.11: a success outside production gives the URL of the preview. A failure says that this preview will not
 * come. Pull requests are found by commit, because their list is empty for forks.
 */
export async function onDeploymentStatus(trx: Db, ctx: HandlerContext, payload: DeploymentStatusEvent): Promise<void> {
  const { deployment, deployment_status: status, repository } = payload;
  const environment = readEnvironment(payload);
  if (environment === null) return;
  const commit = { ...repositoryKey(repository), headSha: deployment.sha.toLowerCase() };
  if (status.state === 'failure' || status.state === 'error') {
    await recordFailedDeployment(trx, commit, environment);
    return;
  }
  const url = parsePreviewUrl(status.environment_url) ?? parsePreviewUrl(status.target_url);
  if (status.state !== 'success' || url === null) return;
  await recordPreview(trx, ctx, { ...commit, source: 'DEPLOYMENT', name: environment, url });
}
