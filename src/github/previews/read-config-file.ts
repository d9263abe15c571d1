import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inTransaction } from '../../db/database.ts';
import { findOpenWithoutChange } from '../../pull-requests/pull-request-run-store.ts';
import { findDefaultBranch } from '../../pull-requests/pull-request-store.ts';
import { enqueue, enqueueAll } from '../../queue/enqueue.ts';
import { applyConfigFile, type FoundFile } from '../../suites/config-file/apply-config-file.ts';
import { CONFIG_FILE, NO_SETTINGS } from '../../suites/config-file/config-file.ts';
import { parseConfigFile, type ParsedFile } from '../../suites/config-file/parse-config-file.ts';
import { findLinkedSuites } from '../../suites/suite-store.ts';
import type { CodeHostLink, RepositoryKey } from '../../suites/suite.ts';
import { formatNumber } from '../../text/format.ts';
import { webAddress } from '../app/addresses.ts';
import { askGitHub, installationClient, isGone, readStatus, type GitHubContext } from '../app/github-client.ts';

const MAX_BYTES = 128 * 1024;

const File = z.object({ type: z.literal('file'), encoding: z.string(), content: z.string(), size: z.number() });

/** `blobSha`: Git's hash of the file. `isRefused`: we may not see whether there is one. */
export type ReadFile = ParsedFile & { blobSha: string | null; isRefused: boolean };

function readAnswer(answer: unknown): ReadFile {
  const broken = (problem: string): ReadFile => ({ settings: null, problem, blobSha: '', isRefused: false });
  const file = File.safeParse(answer);
  if (!file.success) return broken(`${CONFIG_FILE} is not a file`);
  const { size, encoding, content } = file.data;
  if (size > MAX_BYTES) return broken(`${CONFIG_FILE} is larger than ${formatNumber(MAX_BYTES / 1024)} KiB`);
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  // As `git hash-object` does.
  const blobSha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return { ...parseConfigFile(bytes.toString()), blobSha, isRefused: false };
}

/**
 * Reads the repository's settings at a commit or branch, or else on the default branch. Empty when there is no file, or
 * when we may not read it.
 * @throws when GitHub does not answer. The caller tries again.
 */
export async function readConfigFile(
  ctx: GitHubContext,
  at: { owner: string; repo: string; ref?: string; installationId: number },
): Promise<ReadFile> {
  const { owner, repo, ref, installationId } = at;
  const github = await installationClient(ctx, installationId);
  try {
    const { data } = await github.rest.repos.getContent({
      owner,
      repo,
      path: CONFIG_FILE,
      ...(ref === undefined ? {} : { ref }),
    });
    return readAnswer(data);
  } catch (error) {
    if (!isGone(error)) throw error;
    ctx.log.debug({ err: error, ...at }, 'no configuration file');
    return { settings: NO_SETTINGS, problem: null, blobSha: null, isRefused: readStatus(error) !== 404 };
  }
}

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

/** Where more pull requests are open, only the newest are read again. */
const MAX_RUNS = 1000;

/**
 * Sets a suite's configuration to what the file says. What open pull requests have of it from before may be a change of
 * theirs now: what the default branch no longer says. Those that it left out may count now.
 */
async function take(
  ctx: GitHubContext,
  suiteId: string,
  file: FoundFile | null,
  repository: RepositoryKey,
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await applyConfigFile({ ...ctx, db: trx }, suiteId, file))) return false;
    const runs = await findOpenWithoutChange(trx, suiteId, MAX_RUNS);
    const jobs = runs.map((runId) => ({ payload: { runId } }));
    await enqueueAll(trx, 'follow-base-settings', jobs);
    await enqueue(trx, 'gate-pull-requests', repository);
    return true;
  });
}

/** Job: sets the configuration of a repository's suites to what its file on the default branch says. */
export async function syncConfigFile(ctx: GitHubContext, { owner, repo }: RepositoryKey): Promise<void> {
  const suites = await findLinkedSuites(ctx.db, { owner, repo });
  const [first] = suites;
  if (first === undefined) return;
  await askGitHub(ctx, 'read-config-file', { owner, repo }, async () => {
    const file = await find(ctx, first.codehost, { owner, repo });
    if (file === 'refused') {
      ctx.log.warn({ owner, repo }, 'GitHub does not let Pixelgate read the configuration file');
      return;
    }
    for (const { id } of suites) {
      if (await take(ctx, id, file, { owner, repo })) {
        ctx.log.info({ suiteId: id, owner, repo, problem: file?.problem ?? null }, 'took the configuration file');
      }
    }
  });
}
