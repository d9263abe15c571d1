import type { GitHub } from '../app/github-client.ts';

/**
 * The newest check on a commit that our App created with this name and this external id (our own id). Null: there is
 * none.
 */
export async function findCheckRun(
  github: GitHub,
  sought: { owner: string; repo: string; headSha: string; name: string; externalId: string },
): Promise<number | null> {
  const { data } = await github.rest.checks.listForRef({
    owner: sought.owner,
    repo: sought.repo,
    ref: sought.headSha,
    check_name: sought.name,
    filter: 'all',
    per_page: 100,
  });
  const ours = data.check_runs.filter((check) => check.external_id === sought.externalId);
  return ours.length === 0 ? null : Math.max(...ours.map((check) => check.id));
}
