import type { CaptureWarning } from '../../capture/browser/browser.ts';
import type { CaptureWay } from '../../capture/browser/capture-request.ts';
import type { Served } from '../../capture/served/served.ts';
import type { Move } from '../../compare/moves.ts';
import type { SelectedRow } from '../../db/query.ts';
import type { ChangedRegion, Region } from '../../elements/region.ts';
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
