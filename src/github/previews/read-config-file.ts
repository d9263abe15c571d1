import { createHash } from 'node:crypto';
import { z } from 'zod';
import { keepNewest } from '../../async/keep-newest.ts';
import { CONFIG_FILE, NO_SETTINGS } from '../../suites/config-file/config-file.ts';
import { parseConfigFile, type ParsedFile } from '../../suites/config-file/parse-config-file.ts';
import { formatNumber } from '../../text/format.ts';
import { installationClient, isGone, readStatus, type GitHubContext } from '../app/github-client.ts';

const MAX_BYTES = 128 * 1024;

const File = z.object({ type: z.literal('file'), encoding: z.string(), content: z.string(), size: z.number() });

/** `blobSha`: Git's hash of the file. `isRefused`: we may not see whether there is one. */
export type ReadFile = ParsedFile & { blobSha: string | null; isRefused: boolean };

/** Caches parsed files by hash, because a run that waits for its preview reads the same file again and again. */
const parsed = new Map<string, ParsedFile>();
const MOST_KEPT = 20;

function parseOnce(bytes: Buffer, blobSha: string): ParsedFile {
  return parsed.get(blobSha) ?? keepNewest(parsed, blobSha, parseConfigFile(bytes.toString()), MOST_KEPT);
}

/** As `git hash-object` does. */
const hashBlob = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

function readAnswer(answer: unknown): ReadFile {
  const broken = (problem: string): ReadFile => ({ settings: null, problem, blobSha: '', isRefused: false });
  const file = File.safeParse(answer);
  if (!file.success) return broken(`${CONFIG_FILE} is not a file`);
  const { size, encoding, content } = file.data;
  if (size > MAX_BYTES) return broken(`${CONFIG_FILE} is larger than ${formatNumber(MAX_BYTES / 1024)} KiB`);
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  const blobSha = hashBlob(bytes);
  return { ...parseOnce(bytes, blobSha), blobSha, isRefused: false };
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
