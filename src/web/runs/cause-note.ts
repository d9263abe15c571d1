import { knownName } from '../../auth/user.ts';
import { readMaking } from '../../baselines/read-baselines.ts';
import type { Context } from '../../context.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { readIgnoredChange } from '../../runs/judging/ignore-change.ts';
import { isSaidDifferent } from '../../runs/judging/say-different-servers.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Cause, PageResult } from '../../runs/results/result.ts';
import { isDecidable } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';

type Controlled = Pick<
  PageResult,
  'status' | 'cause' | 'controlState' | 'drifted' | 'diffRegions' | 'servers' | 'stability'
>;

/**
 * What the suite's own site shows about a difference that counts, or that it is being captured. Null if it was not
 * captured.
 */
export function describeControl(result: Controlled): string | null {
  const { status, cause, controlState, drifted, diffRegions, servers, stability } = result;
  if (controlState === 'DUE') {
    return status === 'PENDING' ? 'The page differs. Capturing the site itself to check whether it changed too.' : null;
  }
  if (status !== 'FAIL' || cause !== 'CHANGE' || controlState === null) return null;
  if (controlState === 'FAILED') {
    return 'The site itself could not be captured for comparison, so the difference counts. See the run’s log for the reason.';
  }
  if (servers === 'MAYBE_ONE') return null;
  if (stability === 'UNSTABLE') {
    return 'The page does not look the same each time, so the site cannot show whether the difference is the preview’s own.';
  }
  if (!drifted) return 'Only the preview changed. The site itself did not.';
  const regions = diffRegions ?? [];
  const shared = regions.filter(({ drift }) => drift === true).length;
  const what =
    shared === 0
      ? 'but not in the same way'
      : `and shares ${formatNumber(shared)} of ${formatNumber(regions.length)} differences (dashed outlines)`;
  return `The site itself has also changed, ${what}.`;
}

const WHY =
  'Nothing shows that the preview and the site are different servers: they may be one server with two names. So what both show counts as a change.';

function formOf(run: RunFor, differ: boolean, back: string) {
  if (!isDecidable(run.status) || !listPermissions(run.suite.access).approve) return null;
  const label = differ ? 'These are different servers' : 'These may be one server';
  return { action: `/runs/${run.id}/servers`, differ, label, back };
}

/** Null when no result of the run is in doubt. */
export function serversNote({ run, doubted }: Pick<RunOverview, 'run' | 'doubted'>) {
  if (doubted === 0) return null;
  const what = `The site looks like the preview in ${formatCount(doubted, 'screenshot')}.`;
  return { text: `${what} ${WHY}`, form: formOf(run, true, `/runs/${run.id}`) };
}

/** For a result. Null if there is no doubt. */
export async function readServersNote(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { servers, cause, approved }: Pick<PageResult, 'servers' | 'cause' | 'approved'>,
  back: string,
) {
  if (servers === 'MAYBE_ONE' && !approved) {
    return { text: `The site looks the same now. ${WHY}`, form: formOf(run, true, back) };
  }
  if (cause !== 'DRIFT' || servers === 'DIFFERENT' || !(await isSaidDifferent(db, run))) return null;
  return { text: 'Someone said that the preview and the site are different servers.', form: formOf(run, false, back) };
}

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
  const making = await readMaking(ctx, baselineVersionId);
  const [before, now] = [making.captureEngine ?? 'an unknown browser', captureEngine ?? 'an unknown browser'];
  return `captured with a different browser, and the differences are faint. Baseline: ${before}; now: ${now}.`;
}

async function explain(ctx: Pick<Context, 'db'>, run: RunFor, result: ReviewedResult, cause: Exclude<Cause, 'CHANGE'>) {
  if (cause === 'ENGINE') return { text: await explainEngine(ctx, result), ignored: null };
  if (cause !== 'IGNORED') return { text: TEXTS[cause](result), ignored: null };
  if (result.status === 'PASS') return { text: 'all differences are in areas that this suite ignores.', ignored: null };
  const change = await readIgnoredChange(ctx, { ...result, run });
  if (change === null) return { text: 'this change was ignored when the run was evaluated.', ignored: null };
  const { createdAt, author, expiresAt, note } = change;
  const ignored = { at: createdAt, by: knownName(author), until: expiresAt, note };
  return { text: 'this change is ignored', ignored };
}

/** Null when the result counts. */
export async function causeNote(ctx: Pick<Context, 'db'>, run: RunFor, result: ReviewedResult) {
  const { cause, status } = result;
  if (cause === null || cause === 'CHANGE') return null;
  const mayCount = status === 'FAIL' && isDecidable(run.status) && listPermissions(run.suite.access).approve;
  return {
    ...(await explain(ctx, run, result, cause)),
    list: cause === 'IGNORED' ? `/suites/${run.testSuiteId}/ignored-changes` : null,
    count: mayCount ? `/runs/${run.id}/results/${result.id}/count` : null,
  };
}
