import { readMaking } from '../../baselines/read-baselines.ts';
import type { Context } from '../../context.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import { readIgnoredChange } from '../../runs/judging/ignore-change.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Cause } from '../../runs/results/result.ts';
import { isDecidable } from '../../runs/run.ts';
import { listPermissions } from '../permissions.ts';

/** Why a difference needs no approval. */
export type CauseNote = {
  /** Such as `only what this suite ignores differs`. */
  text: string;
  /** What a person ignored. Null for other causes. */
  ignored: { at: Date; by: string | null; until: Date | null; note: string | null } | null;
  /** The page that lists what the suite ignores. */
  list: string | null;
  /** URL of the form that makes it count. Null when it can't, or when the viewer may not. */
  count: string | null;
};

type Told = Pick<ReviewedResult, 'causePullRequest' | 'causeVersion'>;

function explainBehind({ causePullRequest, causeVersion }: Told): string {
  const as = causeVersion === null ? 'like an earlier version of the baseline' : `like version ${causeVersion}`;
  return `the branch is behind its base. The page looks ${as}${causePullRequest === null ? '' : `, before #${causePullRequest}`}.`;
}

const TEXTS: Record<Exclude<Cause, 'CHANGE' | 'ENGINE' | 'IGNORED'>, (result: Told) => string> = {
  DRIFT: () => 'the site itself looks the same now.',
  BEHIND: explainBehind,
  FROM_PULL_REQUEST: ({ causePullRequest: number }) =>
    number === null
      ? 'the change is from another pull request.'
      : `the change is from #${number}, which this pull request is based on. Review it there.`,
};

async function explainEngine(ctx: Pick<Context, 'db'>, result: ReviewedResult): Promise<string> {
  const { baselineVersionId, captureEngine } = result;
  const making = baselineVersionId === null ? null : await readMaking(ctx, baselineVersionId);
  const [before, now] = [making?.captureEngine ?? 'an unknown browser', captureEngine ?? 'an unknown browser'];
  return `captured with a different browser, and the differences are faint. Baseline: ${before}; now: ${now}.`;
}

async function explain(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  result: ReviewedResult,
  cause: Exclude<Cause, 'CHANGE'>,
): Promise<Pick<CauseNote, 'text' | 'ignored'>> {
  if (cause === 'ENGINE') return { text: await explainEngine(ctx, result), ignored: null };
  if (cause !== 'IGNORED') return { text: TEXTS[cause](result), ignored: null };
  if (result.status === 'PASS') return { text: 'all differences are in areas that this suite ignores.', ignored: null };
  const change = await readIgnoredChange(ctx, { ...result, run });
  if (change === null) return { text: 'this change was ignored when the run was evaluated.', ignored: null };
  const { createdAt, authorName, authorEmail, expiresAt, note } = change;
  const ignored = { at: createdAt, by: authorName ?? authorEmail, until: expiresAt, note };
  return { text: 'this change is ignored', ignored };
}

/** Null when the result counts. */
export async function causeNote(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  result: ReviewedResult,
): Promise<CauseNote | null> {
  const { cause, status } = result;
  if (cause === null || cause === 'CHANGE') return null;
  const mayCount = status === 'FAIL' && isDecidable(run.status) && listPermissions(run.suite.access).approve;
  return {
    ...(await explain(ctx, run, result, cause)),
    list: cause === 'IGNORED' ? `/suites/${run.testSuiteId}/ignored-changes` : null,
    count: mayCount ? `/runs/${run.id}/results/${result.id}/count` : null,
  };
}
