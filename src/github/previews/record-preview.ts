import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { shortSha } from '../../text/format.ts';
import type { CommitKey } from '../../pull-requests/pull-request-run.ts';
import type { EndReason } from '../../runs/end-reason.ts';
import {
  setNoticeOfWaiting,
  queuePreviewSearches,
  startPullRequestRun,
} from '../../pull-requests/start-pull-request-run.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { PreviewSighting } from './preview-store.ts';
import { upsertPreview, removePreviewsBefore } from './preview-store.ts';
import { findOpenPullRequestsAt } from '../../pull-requests/pull-request-store.ts';
import { toHead } from '../../pull-requests/pull-request.ts';

type RecordContext = Pick<Context, 'config' | 'clock' | 'log'>;

const KEPT_MS = 30 * 86_400_000;

/**
 * Records what GitHub said about a commit's preview, and makes the waiting runs look for it. The event may arrive
 * before the pull request, and more than once. A preview that arrives after its run gave up starts a new attempt.
 */
export async function recordPreview(trx: Db, ctx: RecordContext, sighting: PreviewSighting): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, sighting);
  // A repository without a suite may have been renamed, which we learn later. Statuses are too frequent to keep for
  // that.
  if (suites.length === 0 && sighting.source === 'STATUS') return;
  const isNews = await upsertPreview(trx, sighting, ctx.clock.now());
  if (sighting.source === 'DEPLOYMENT') {
    const againAfter: EndReason[] = ['preview_timeout', 'suite_unlinked', 'suite_inactive'];
    if (isNews) againAfter.push('preview_unusable');
    for (const pullRequest of await findOpenPullRequestsAt(trx, sighting)) {
      for (const suite of suites) await startPullRequestRun(trx, ctx, suite, toHead(pullRequest), againAfter);
    }
  }
  await queuePreviewSearches(trx, sighting);
  ctx.log.info({ ...sighting, isNews }, 'recorded a preview');
}

/**
 * Waiting runs go on after a failed deployment, and their checks mention it: the same or another deployment may still
 * succeed.
 */
export async function recordFailedDeployment(trx: Db, commit: CommitKey, environment: string): Promise<void> {
  const what = `The deployment of ${shortSha(commit.headSha)} to the environment ${environment} failed`;
  await setNoticeOfWaiting(trx, commit, `${what}. A later deployment is used if it arrives in time.`);
}

/** Deletes records older than 30 days, except for commits that are the head of an open pull request. */
export async function prunePreviews({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removePreviewsBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}
