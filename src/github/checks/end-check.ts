import type { JobPayloads } from '../../queue/job-kinds.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, type GitHubContext } from '../app/github-client.ts';
import { findCheckRun, putCheckRun } from './put-check-run.ts';

type Payload = JobPayloads['end-check'];

const END = {
  status: 'completed',
  conclusion: 'cancelled',
  title: 'The suite was deleted',
  summary: 'The suite of this check was deleted along with its runs. Nothing will be captured or reviewed.',
} as const;

/** If the run was deleted while its check was being created, we know the check only by its external id. */
async function end(ctx: GitHubContext, payload: Payload): Promise<void> {
  const { owner, repo, headSha, name, runId } = payload;
  const key = { owner, repo, headSha, name, externalId: runId };
  const github = await installationClient(ctx, payload.installationId);
  const id = payload.checkRunId ?? (await findCheckRun(github, key));
  if (id === null) return;
  const check = { ...END, detailsUrl: ctx.config.publicUrl };
  await putCheckRun(github, key, id, { check, completedAt: ctx.clock.now(), actions: [] });
  ctx.log.info({ owner, repo, headSha, name, checkRunId: id }, 'ended the check of a deleted suite');
}

/**
 * Job: ends the check of a deleted run, because nothing else would. It shares a queue with the job that may still be
 * creating this check, and runs after it. A check that GitHub no longer accepts changes to ends with a log line.
 */
export async function endCheck(ctx: GitHubContext, payload: Payload): Promise<void> {
  if ((await readCredentials(ctx)) === null) return;
  await askGitHub(ctx, 'end-check', payload, async () => end(ctx, payload), {
    delays: true,
    ifGone: (error) => ctx.log.warn({ err: error, ...payload }, 'GitHub did not accept the end of this check'),
  });
}
