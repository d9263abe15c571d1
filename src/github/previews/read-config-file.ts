import { z } from 'zod';
import type { ParsedFile } from './config-file.ts';
import { CONFIG_FILE, NO_SETTINGS, parseConfigFile } from './config-file.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { installationClient, isGone } from '../app/github-client.ts';

const MAX_BYTES = 64 * 1024;

const File = z.object({ type: z.literal('file'), encoding: z.string(), content: z.string(), size: z.number() });

function parseAnswer(answer: unknown): ParsedFile {
  const file = File.safeParse(answer);
  if (!file.success) return { settings: null, problem: `${CONFIG_FILE} is not a file` };
  const { size, encoding, content } = file.data;
  if (size > MAX_BYTES) return { settings: null, problem: `${CONFIG_FILE} is larger than ${MAX_BYTES} bytes` };
  return parseConfigFile(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8').toString());
}

/**
 * Reads the repository's settings at a commit, or else on the default branch. Empty when there is no file, or when we may not read it.
 * @throws when GitHub does not answer. The caller tries again.
 */
export async function readConfigFile(
  ctx: GitHubContext,
  at: { owner: string; repo: string; ref?: string; installationId: number },
): Promise<ParsedFile> {
  const { owner, repo, ref, installationId } = at;
  const github = await installationClient(ctx, installationId);
  try {
    const { data } = await github.rest.repos.getContent({
      owner,
      repo,
      path: CONFIG_FILE,
      ...(ref === undefined ? {} : { ref }),
    });
    return parseAnswer(data);
  } catch (error) {
    if (!isGone(error)) throw error;
    ctx.log.debug({ err: error, ...at }, 'no configuration file');
    return { settings: NO_SETTINGS, problem: null };
  }
}
