import type { CaptureWarning } from '../../capture/browser/browser.ts';
import type { CaptureWay } from '../../capture/browser/capture-request.ts';
import type { Served } from '../../capture/served/served.ts';
import type { ChangedRegion } from '../../compare/describe-regions.ts';
import type { Move } from '../../compare/moves.ts';
import type { Region } from '../../compare/region.ts';
import type { FailureCode } from '../../net/failure-code.ts';
import type { Proof } from '../proofs/proof.ts';

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
type Stability = (typeof STABILITIES)[number];

/** Results of older versions have the box only. `drift`: the suite's own site shows the same difference. */
export type StoredRegion = Region & Partial<ChangedRegion> & { drift?: boolean };

/**
 * Whether preview and site are known to be different servers. MAYBE_ONE: the difference would be drift if they were,
 * and counts because nothing distinguishes them.
 */
export const SERVERS = ['DIFFERENT', 'MAYBE_ONE'] as const;
type Servers = (typeof SERVERS)[number];

/** The state of an additional screenshot: due, taken, or failed. */
type ControlState = 'DUE' | 'TAKEN' | 'FAILED';

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
export type PageResult = {
  id: string;
  testRunId: string;
  url: string;
  path: string;
  viewport: string;
  status: ResultStatus;
  approved: boolean;
  approvedById: string | null;
  approvedAt: Date | null;
  /** The number of the last verdict on it in its run; 0 when there was none. */
  verdictNumber: number;
  /** A reviewer requested changes and has not withdrawn that. */
  changesRequested: boolean;
  isNew: boolean;
  currentFile: string | null;
  baselineFile: string | null;
  baselineVersionId: string | null;
  diffFile: string | null;
  /** Percentage of differing pixels, 4 decimals; null when nothing was compared. */
  diffScore: number | null;
  /**
   * Where the screenshots differ, in px of the diff image. Null: nothing was compared, or regions were not yet stored.
   */
  diffRegions: StoredRegion[] | null;
  /** Null for a PASS without a difference, and for an unsettled result. */
  cause: Cause | null;
  /**
   * Whose change it is (FROM_PULL_REQUEST), or the pull request whose merge the branch lacks (BEHIND, if it was one).
   */
  causePullRequest: number | null;
  /** The version of the baseline that the screenshot looks like (BEHIND). */
  causeVersion: number | null;
  /** A person said that the difference is a change, even if something else would explain it. */
  countedAsChange: boolean;
  /** Null before the capture, and for results of older versions. */
  stability: Stability | null;
  /** How many screenshots were taken before one was accepted. */
  screenshots: number | null;
  /** Other screenshots that loads of the page have shown in the same capture, by their names. Null: none. */
  alsoSeen: string[] | null;
  /** What the server returned. Null if it is not needed. */
  served: Served | null;
  /** Whether every difference is one that a person would hardly see. */
  faint: boolean;
  /** Whether the page continues below the screenshot. */
  cut: boolean;
  /** Whether the screenshot was taken of a page at rest. */
  atRest: boolean;
  /** How a page that does not always look the same was captured. Null for old results. */
  captureWay: CaptureWay | null;
  /** A screenshot of the suite's own site, taken when this one differed. */
  controlFile: string | null;
  /** Null: none is needed. */
  controlState: ControlState | null;
  /** The element map of the control screenshot; null when that has the baseline's bytes. */
  controlElementsFile: string | null;
  /** What the server of the suite's own site returned. */
  controlServed: Served | null;
  /** The suite's own site no longer looked like the baseline. */
  drifted: boolean;
  /** Null: not asked, or it makes no difference. */
  servers: Servers | null;
  /** The element map of the screenshot; null when it has the baseline's bytes. */
  elementsFile: string | null;
  /** What the page was made of. Null if unknown. */
  manifestFile: string | null;
  /** What assistive technology is told about the page, and about the suite's own site. Null: it was not read. */
  heardFile: string | null;
  controlHeardFile: string | null;
  /** How that differs from the baseline's: the groups that the differences belong to. Null: nothing was compared. */
  heardIds: string[] | null;
  /** A hash of these differences, where they hold the gate. Null: they don't, or there are none. */
  heardKey: string | null;
  /** The outcome of the proof. Null: it was not tried. */
  proof: Proof | null;
  /** Both images on the canvas of the diff image; null when nothing moved. */
  alignedBaselineFile: string | null;
  alignedCurrentFile: string | null;
  /** What only moved. */
  moves: Move[] | null;
  /** Groups that the result's changes belong to (`result_changes.change_key`). */
  changeIds: string[] | null;
  /** Areas whose pixels did not count, in px of the diff image. */
  ignoredBoxes: Region[] | null;
  /** The pull request leaves it out, so it was captured and judged with the settings of its base. */
  leftOut: boolean;
  /** The state of a screenshot with the settings of the base: due, taken, or failed. Null: none is needed. */
  baseState: ControlState | null;
  /** Null: the screenshot itself is also what the settings of the base show. */
  baseFile: string | null;
  baseElementsFile: string | null;
  /** The outcome with the settings of the base. Null: the same, or unknown. */
  baseStatus: 'PASS' | 'FAIL' | null;
  baseScore: number | null;
  baseDiffFile: string | null;
  /** What a reviewer should know of the screenshots. That one is cut or unstable has fields of its own. */
  warnings: CaptureWarning[];
  error: string | null;
  /** Null: no error, or nothing is known about it. */
  errorCode: FailureCode | null;
  captureEngine: string | null;
  compareEngine: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * Whether the result needs an approval and holds the gate. `CHANGED_SQL` is the same in SQL. During an upgrade, a host
 * of the version before writes no cause.
 */
export const isChanged = ({ status, cause }: Pick<PageResult, 'status' | 'cause'>): boolean =>
  status === 'FAIL' && (cause ?? 'CHANGE') === 'CHANGE';

/** The fields of a result that the list of newly settled results shows. */
export type SettledResult = Pick<
  PageResult,
  'id' | 'path' | 'viewport' | 'isNew' | 'diffScore' | 'error' | 'cause' | 'currentFile'
> & {
  status: SettledStatus;
  /** The result's number in the order in which the run's results settled, from 1. */
  settledNumber: number;
};

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

/** A result in a list. */
export type ListedResult = Omit<
  PageResult,
  | 'baselineVersionId'
  | 'diffRegions'
  | 'countedAsChange'
  | 'screenshots'
  | 'alsoSeen'
  | 'served'
  | 'atRest'
  | 'captureWay'
  | 'controlState'
  | 'controlElementsFile'
  | 'controlServed'
  | 'drifted'
  | 'elementsFile'
  | 'manifestFile'
  | 'heardFile'
  | 'controlHeardFile'
  | 'heardKey'
  | 'alignedBaselineFile'
  | 'alignedCurrentFile'
  | 'moves'
  | 'ignoredBoxes'
  | 'baseElementsFile'
  | 'warnings'
  | 'errorCode'
  | 'captureEngine'
  | 'compareEngine'
> & { position: number };

export type ResultPlace = [path: string, position: number];
