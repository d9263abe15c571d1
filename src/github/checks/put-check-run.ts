import type { ShownCheck } from '../../pull-requests/check/check.ts';
import type { CheckAction } from '../../pull-requests/check/desired-check.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, type GitHub, type GitHubContext } from '../app/github-client.ts';

/** A check of ours on a commit. `externalId` is our own id of it, by which it is found again. */
export type CheckRunKey = { owner: string; repo: string; headSha: string; name: string; externalId: string };

/**
 * The newest check on a commit that our App created with this name and this external id. Null: there is none.
 */
export async function findCheckRun(
  github: GitHub,
  { owner, repo, headSha, name, externalId }: CheckRunKey,
): Promise<number | null> {
  const { data } = await github.rest.checks.listForRef({
    owner,
    repo,
    ref: headSha,
    check_name: name,
    filter: 'all',
    per_page: 100,
  });
  const ours = data.check_runs.filter((check) => check.external_id === externalId);
  return ours.length === 0 ? null : Math.max(...ours.map((check) => check.id));
}

type Told = {
  check: ShownCheck;
  /** Counts if the check is completed. */
  completedAt: Date;
  actions?: CheckAction[];
  startedAt?: Date;
};

/** In GitHub's terms. */
function toFields({ check: { title, summary, detailsUrl, ...verdict }, completedAt, actions, startedAt }: Told) {
  const { status, conclusion } = verdict;
  return {
    details_url: detailsUrl,
    output: { title, summary },
    ...(actions === undefined ? {} : { actions }),
    ...(startedAt === undefined ? {} : { started_at: startedAt.toISOString() }),
    ...(conclusion === null ? { status } : { status, conclusion, completed_at: completedAt.toISOString() }),
  };
}

/** Makes GitHub show the check. @param existing its number; null if it is to be created @returns its number */
export async function putCheckRun(
  github: GitHub,
  { owner, repo, headSha, name, externalId }: CheckRunKey,
  existing: number | null,
  told: Told,
): Promise<number> {
  const fields = toFields(told);
  if (existing !== null) {
    await github.rest.checks.update({ owner, repo, check_run_id: existing, ...fields });
    return existing;
  }
  const created = { owner, repo, name, head_sha: headSha, external_id: externalId, ...fields };
  return (await github.rest.checks.create(created)).data.id;
}

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
