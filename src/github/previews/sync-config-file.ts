import { findDefaultBranch } from '../../pull-requests/pull-request-store.ts';
import { applyConfigFile, type FoundFile } from '../../suites/config-file/apply-config-file.ts';
import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import { findLinkedSuites } from '../../suites/suite-store.ts';
import type { CodeHostLink, RepositoryKey } from '../../suites/suite.ts';
import { webAddress } from '../app/addresses.ts';
import { askGitHub, type GitHubContext } from '../app/github-client.ts';
import { readConfigFile } from './read-config-file.ts';

async function find(ctx: GitHubContext, link: CodeHostLink, key: RepositoryKey): Promise<FoundFile | null | 'refused'> {
  const { owner, repo, installationId } = link;
  const { blobSha, isRefused, ...file } = await readConfigFile(ctx, { owner, repo, installationId });
  if (isRefused) return 'refused';
  if (blobSha === null) return null;
  const branch = await findDefaultBranch(ctx.db, key);
  // GitHub shows the default branch as HEAD, too.
  const at = (branch ?? 'HEAD').split('/').map(encodeURIComponent).join('/');
  return { ...file, blobSha, branch, url: `${webAddress(ctx.config)}/${owner}/${repo}/blob/${at}/${CONFIG_FILE}` };
}

/** Job: sets the configuration of a repository's suites to what its file on the default branch says. */
export async function syncConfigFile(ctx: GitHubContext, { owner, repo }: RepositoryKey): Promise<void> {
  const suites = await findLinkedSuites(ctx.db, { owner, repo });
  const link = suites[0]?.codehost ?? null;
  if (link === null) return;
  await askGitHub(ctx, 'read-config-file', { owner, repo }, async () => {
    const file = await find(ctx, link, { owner, repo });
    if (file === 'refused') {
      ctx.log.warn({ owner, repo }, 'GitHub does not let Pixelgate read the configuration file');
      return;
    }
    for (const { id } of suites) {
      if (await applyConfigFile(ctx, id, file)) {
        ctx.log.info({ suiteId: id, owner, repo, problem: file?.problem ?? null }, 'took the configuration file');
      }
    }
  });
}
