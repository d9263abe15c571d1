import { z } from 'zod';
import { httpUrlProblem } from '../../suites/suite-input.ts';
import { installationClient, readItems, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { isProduction } from '../previews/report.ts';
import type { LinkableRepository } from '../sign-in/list-linkable.ts';

/**
 * The maximum number of deployments that are read, newest first, and of those to production whose statuses are read.
 */
const MOST_DEPLOYMENTS = 100;
const MOST_LOOKED_AT = 3;

const Deployment = z.object({
  id: z.int(),
  environment: z.string(),
  production_environment: z.boolean().optional().catch(undefined),
});
const Status = z.object({ state: z.string(), environment_url: z.string() });

/** People also type addresses without their beginning, or the address of the repository itself. */
function readHomepage(text: string | null): string | null {
  if (text === null) return null;
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const isSite = httpUrlProblem(url) === null && !/^(www\.)?github\.com$/.test(new URL(url).hostname);
  return isSite ? url : null;
}

/** Where the last successful deployment to production is. */
async function findDeployed(github: GitHub, at: { owner: string; repo: string }): Promise<string | null> {
  const { data } = await github.rest.repos.listDeployments({ ...at, per_page: MOST_DEPLOYMENTS });
  const deployments = readItems(Deployment, data).filter(isProduction);
  for (const { id } of deployments.slice(0, MOST_LOOKED_AT)) {
    const answer = await github.rest.repos.listDeploymentStatuses({ ...at, deployment_id: id, per_page: 10 });
    const deployed = readItems(Status, answer.data).find(
      (each) => each.state === 'success' && httpUrlProblem(each.environment_url) === null,
    );
    if (deployed !== undefined) return deployed.environment_url;
  }
  return null;
}

/** The address of a repository's site: its homepage, or else its last deployment to production. Null: neither says. */
export async function findSiteAddress(
  ctx: GitHubContext,
  { owner, repo, installationId, homepage }: LinkableRepository,
): Promise<string | null> {
  const known = readHomepage(homepage);
  if (known !== null) return known;
  try {
    return await findDeployed(await installationClient(ctx, installationId), { owner, repo });
  } catch (error) {
    // The address can be typed as well.
    ctx.log.info({ err: error, owner, repo }, 'GitHub did not tell where a repository is deployed');
    return null;
  }
}
