import { isGone, listSeen, readStatus, type GitHubContext } from './github-client.ts';
import { findInstallation, removeInstallation, replaceRepos } from './installation-store.ts';
import { readFailure } from './respect-rate-limits.ts';

/** An installation does not exist if GitHub issues no token for it. Any other 404 may be about something else. */
const isUninstalled = (error: unknown): boolean =>
  readStatus(error) === 404 && readFailure(error)?.request?.url.endsWith('/access_tokens') === true;

/** Reads from GitHub which repositories an installation can see, when its events did not list them. */
export async function refreshInstallation(
  ctx: GitHubContext,
  { installationId }: { installationId: number },
): Promise<void> {
  const installation = await findInstallation(ctx.db, installationId);
  if (installation === null) return;
  try {
    const repos = (await listSeen(ctx, installationId)).map((repo) => repo.full_name).sort();
    if (await replaceRepos(ctx.db, installationId, installation.updatedAt, repos)) return;
  } catch (error) {
    if (!isGone(error)) throw error;
    if (isUninstalled(error)) await removeInstallation(ctx.db, installationId);
    ctx.log.warn({ err: error, installationId }, 'could not read the repositories of an installation');
    return;
  }
  throw new Error('An event changed the installation in the meantime, so it is read again');
}
