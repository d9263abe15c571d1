import type { Db } from '../db/database.ts';
import { hasDriftEvent } from '../events/event-store.ts';
import { CLOCK, WEBHOOK, type Actor } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import type { RunLogLine } from './log/run-log.ts';
import { isChanged, type PageResult } from './results/result.ts';
import { aboutRun, namePages } from './run-name.ts';
import type { EndReason, ReviewState, Run, RunMetadata, RunStatus } from './run.ts';
import { settingsReview } from './settings-change/settings-change.ts';

export type RunEnd = {
  from: RunStatus[];
  to: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  metadata: RunMetadata;
  reviewState?: ReviewState;
  /** The person who cancelled it. */
  by?: Actor;
  /** Where they are settled. */
  results?: PageResult[];
  /** The last line of the run's log. */
  line: RunLogLine;
  /** Default: now. */
  at?: Date;
};

/** Ends that follow from something on the code host. */
const BY_WEBHOOK = new Set<EndReason>(['superseded', 'pull_request_closed', 'preview_replaced']);

/** Records how a run ended, in the transaction that ended it. */
export async function recordEnd(
  trx: Db,
  run: Run,
  { to, metadata, reviewState, results = [], by }: RunEnd,
): Promise<void> {
  const reason = metadata.reason ?? null;
  switch (to) {
    case 'CANCELLED': {
      const actor = by ?? (metadata.reason !== undefined && BY_WEBHOOK.has(metadata.reason) ? WEBHOOK : CLOCK);
      return recordEvent(trx, actor, { kind: 'run.cancelled', ...aboutRun(run, { reason }) });
    }
    case 'FAILED': {
      const error = metadata.error ?? 'Unknown error';
      return recordEvent(trx, CLOCK, { kind: 'run.failed', ...aboutRun(run, { reason, error }) });
    }
    case 'COMPLETED':
      return recordEvent(trx, CLOCK, {
        kind: 'run.completed',
        ...aboutRun(run, {
          reason,
          pages: metadata.totalPages ?? 0,
          screenshots: metadata.totalScreenshots ?? 0,
          passed: metadata.passedTests ?? 0,
          changed: results.filter(isChanged).length,
          drifted: results.filter(({ cause }) => cause === 'DRIFT').length,
          errors: metadata.errorTests ?? 0,
          reviewState: reviewState ?? run.reviewState,
        }),
      });
  }
}

/**
 * Records that a run waits for a review from now on, in the transaction that closed its gate. A person who requests changes
 * closes it, too; that is an event of its own.
 * @param run as it was before
 */
export async function recordGate(
  trx: Db,
  run: Run,
  after: ReviewState,
  results: readonly Pick<PageResult, 'status' | 'cause' | 'approved'>[],
  actor: Actor = CLOCK,
): Promise<void> {
  if (after !== 'PENDING' || run.reviewState === 'PENDING') return;
  const changed = results.filter((result) => isChanged(result) && !result.approved).length;
  const settings = settingsReview(run) === 'PENDING';
  if (changed === 0 && !settings) return;
  await recordEvent(trx, actor, { kind: 'review.required', ...aboutRun(run, { changed, settings }) });
}

/**
 * Records that the site has drifted, once a run, in the transaction that has locked the run. A scheduled run has no other
 * change than the site's own.
 */
export async function recordDrift(trx: Db, run: Run, results: readonly PageResult[]): Promise<void> {
  const on = run.trigger === 'SCHEDULE' ? 'site' : 'preview';
  const drifted = results.filter((result) => result.cause === 'DRIFT' || (on === 'site' && isChanged(result)));
  if (drifted.length === 0 || (await hasDriftEvent(trx, run.id))) return;
  const details = { results: drifted.length, pages: namePages(drifted), on } as const;
  await recordEvent(trx, CLOCK, { kind: 'drift.found', ...aboutRun(run, details) });
}
