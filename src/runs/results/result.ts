import type { CaptureWarning } from '../../capture/browser/browser.ts';
import type { CaptureWay } from '../../capture/browser/capture-request.ts';
import type { Served } from '../../capture/served/served.ts';
import type { Move } from '../../compare/draw-moves.ts';
import type { SelectedRow } from '../../db/query.ts';
import type { ChangeKind, PageChange } from '../../elements/page-change.ts';
import type { ChangedRegion, Region } from '../../elements/region.ts';
import { assertNever } from '../../errors.ts';
import { formatNumber } from '../../text/format.ts';
import type { Proof } from '../proofs/proof.ts';
import type { RESULT_COLUMNS, SETTLED_COLUMNS } from './result-sql.ts';

export const RESULT_STATUSES = ['PENDING', 'PASS', 'FAIL', 'ERROR', 'CANCELLED'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The outcome of a captured result, unless its run was cancelled before. */
export const SETTLED_STATUSES = ['PASS', 'FAIL', 'ERROR'] as const;
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

/**
 * Why a result differs. Only a CHANGE needs an approval and holds the review gate. IGNORED also stands on a PASS, when
 * only ignored pixels differ.
 */
export const CAUSES = ['CHANGE', 'DRIFT', 'BEHIND', 'FROM_PULL_REQUEST', 'ENGINE', 'IGNORED'] as const;
export type Cause = (typeof CAUSES)[number];

/** How stable the page was: accepted at once, after several screenshots, or never the same twice. */
export const STABILITIES = ['AT_ONCE', 'SETTLED', 'UNSTABLE'] as const;

/** `drift`: the suite's own site shows the same difference. */
export type StoredRegion = ChangedRegion & { drift?: boolean };

/**
 * Whether preview and site are known to be different servers. MAYBE_ONE: the difference would be drift if they were,
 * and counts because nothing distinguishes them.
 */
export const SERVERS = ['DIFFERENT', 'MAYBE_ONE'] as const;

declare module '../../db/json.ts' {
  interface JsonColumns {
    'page_results.proof': Proof;
    'page_results.diff_regions': StoredRegion[];
    'page_results.moves': Move[];
    'page_results.change_ids': string[];
    'page_results.ignored_boxes': Region[];
    'page_results.unmatched_selectors': string[];
    'page_results.also_seen': string[];
    'page_results.served': Served;
    'page_results.control_served': Served;
    'page_results.capture_way': CaptureWay;
    'page_results.heard_ids': string[];
    'page_results.warnings': CaptureWarning[];
  }
}

/** One page at one viewport in a run (docs/rules.md, Verdicts). Files are object names. */
export type PageResult = SelectedRow<'page_results', typeof RESULT_COLUMNS>;

/**
 * Whether the result needs an approval and holds the gate. `CHANGED_SQL` is the same in SQL. During an upgrade, a host
 * of the version before writes no cause.
 */
export const isChanged = ({ status, cause }: Pick<PageResult, 'status' | 'cause'>): boolean =>
  status === 'FAIL' && (cause ?? 'CHANGE') === 'CHANGE';

/** A result in the list of newly settled ones. */
export type SettledResult = SelectedRow<'page_results', typeof SETTLED_COLUMNS>;

/** How many results have each status, including `PENDING` and `CANCELLED`. */
export type ResultCounts = Record<ResultStatus, number>;

export function countByStatus(results: { status: ResultStatus }[]): ResultCounts {
  const counts: ResultCounts = { PENDING: 0, PASS: 0, FAIL: 0, ERROR: 0, CANCELLED: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** A screenshot passes when its diff percentage is not above the suite's `failureThreshold`. */
export function judgeDiff(diffPercentage: number, failureThreshold: number): 'PASS' | 'FAIL' {
  return diffPercentage > failureThreshold ? 'FAIL' : 'PASS';
}

export type ResultPlace = [path: string, position: number];

/** The sections of a review, in the order in which a reviewer should look at them. */
export const REVIEW_SECTIONS = ['changed', 'new', 'error', 'pending', 'uncounted', 'passed', 'cancelled'] as const;
export type ReviewSection = (typeof REVIEW_SECTIONS)[number];

/** The place of a section in that order, by which the database sorts: `page_results.review_rank`. */
export const rankSection = (section: ReviewSection): number => REVIEW_SECTIONS.indexOf(section);

/** Results that need no attention: every list has them last, and folded. */
export const QUIET_SECTIONS = ['uncounted', 'passed', 'cancelled'] as const satisfies ReviewSection[];

export function isQuiet(section: ReviewSection): boolean {
  return QUIET_SECTIONS.some((quiet) => quiet === section);
}

/** The column `review_rank` is the rank of the same section (`migrations/006-results.ts`). */
export function findSection(result: Pick<PageResult, 'status' | 'cause' | 'isNew'>): ReviewSection {
  const { status, isNew } = result;
  switch (status) {
    case 'FAIL':
      return isChanged(result) ? 'changed' : 'uncounted';
    case 'PASS':
      return isNew ? 'new' : 'passed';
    case 'ERROR':
      return 'error';
    case 'PENDING':
      return 'pending';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return assertNever(status);
  }
}

/** Turns counts by rank, as stores return them, into counts by section. Several of one rank are added. */
export function countBySection(rows: { reviewRank: number; results: number }[]): Record<ReviewSection, number> {
  const counts = { changed: 0, new: 0, error: 0, pending: 0, uncounted: 0, passed: 0, cancelled: 0 };
  for (const { reviewRank, results } of rows) {
    const section = REVIEW_SECTIONS[reviewRank];
    if (section !== undefined) counts[section] += results;
  }
  return counts;
}

declare module '../../db/json.ts' {
  interface JsonColumns {
    'result_changes.baseline_box': Region;
    'result_changes.current_box': Region;
    'result_changes.canvas_box': Region;
  }
}

/**
 * A change as it was found. `drift`: the suite's own site has changed in the same way. `informs`: it is only told, and
 * needs no decision.
 */
export type FoundChange = PageChange & { drift: boolean; informs: boolean };

/** One cause of a result's differences. Results that have one with the same key form a group. */
export type StoredChange = Omit<FoundChange, 'kind' | 'canvasBox' | 'shownBox' | 'picture'> & {
  id: string;
  kind: ChangeKind;
  pageResultId: string;
  /** Null: it was not approved by itself. It also counts as approved if its result is. */
  approvedAt: Date | null;
};

/** A reason other than a change. */
export type OtherCause = Exclude<Cause, 'CHANGE'>;

/** Words for results that differ for another reason than a change: `2 drifted`. */
export const CAUSE_WORDS: Record<OtherCause, string> = {
  DRIFT: 'drifted',
  BEHIND: 'behind',
  FROM_PULL_REQUEST: 'from another pull request',
  ENGINE: 'from a different browser',
  IGNORED: 'ignored',
};

/** The reason of one result, and what it refers to: `from #12`, `behind: like version 7, before #812`. */
export function describeCause(
  cause: OtherCause,
  about: { causePullRequest?: number | null; causeVersion?: number | null },
): string {
  const { causePullRequest: number = null, causeVersion: version = null } = about;
  if (cause === 'FROM_PULL_REQUEST' && number !== null) return `from #${number}`;
  if (cause !== 'BEHIND' || version === null) return CAUSE_WORDS[cause];
  return `behind: like version ${version}${number === null ? '' : `, before #${number}`}`;
}

/** The pull request that all of the results refer to. Null when they refer to several, or to none. */
export function findOnlyPullRequest(results: readonly Pick<PageResult, 'causePullRequest'>[]): number | null {
  const [number = null, ...others] = new Set(results.map(({ causePullRequest }) => causePullRequest));
  return others.length === 0 ? number : null;
}

export const OTHER_CAUSES = [
  'DRIFT',
  'BEHIND',
  'FROM_PULL_REQUEST',
  'ENGINE',
  'IGNORED',
] as const satisfies OtherCause[];

type Differing = Pick<PageResult, 'status' | 'cause'>;

export const isUncounted = (result: Differing): boolean => result.status === 'FAIL' && !isChanged(result);

/** Results that differ for another reason than a change, grouped by that reason. Empty groups are left out. */
export function groupUncounted<R extends Differing>(results: readonly R[]): { cause: OtherCause; results: R[] }[] {
  return OTHER_CAUSES.map((cause) => ({
    cause,
    results: results.filter((result) => isUncounted(result) && result.cause === cause),
  })).filter((group) => group.results.length > 0);
}

/** `2 drifted, 1 ignored`; '' if every difference is a change. */
export function describeUncounted(results: readonly Differing[]): string {
  return groupUncounted(results)
    .map((group) => `${formatNumber(group.results.length)} ${CAUSE_WORDS[group.cause]}`)
    .join(', ');
}
