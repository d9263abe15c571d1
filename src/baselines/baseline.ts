import type { UserSummary } from '../auth/user.ts';
import type { CaptureWay } from '../capture/browser/capture-request.ts';
import type { ListPart } from '../db/list-part.ts';
import type { SelectedRow } from '../db/query.ts';
import { trimmedText } from '../text/input-words.ts';

declare module '../db/json.ts' {
  interface JsonColumns {
    'baseline_versions.capture_way': CaptureWay;
  }
}

export const BASELINE_SOURCES = ['INITIAL', 'MANUAL', 'BRANCH', 'PR_MERGE', 'API'] as const;
/** How a version came to exist (docs/rules.md, Baselines). */
export type BaselineSource = (typeof BASELINE_SOURCES)[number];

/** Characters of a reviewer's note on a version, at most. */
export const NOTE_MAX_LENGTH = 2000;

/** As a reviewer sends it. Null: there is none. */
export const ReviewerNote = trimmedText(NOTE_MAX_LENGTH)
  .nullish()
  .transform((text) => text || null);

/** Identifies a baseline within its suite, for a map. */
export const pageKey = (of: { path: string; viewport: string }): string => JSON.stringify([of.path, of.viewport]);

export const BASELINE_COLUMNS = [
  'id',
  'test_suite_id',
  'path',
  'viewport',
  'file_path',
  'is_approved',
  'current_version',
  'current_version_id',
  'created_at',
  'updated_at',
] as const;

/** How a version's screenshot was made. */
export const MADE_COLUMNS = [
  // Whether it was taken of a page at rest.
  'at_rest',
  // How a page that does not always look the same was captured; null if unknown.
  'capture_way',
  // Its element map; null if unknown.
  'elements_file',
  // What the page was made of; null if unknown.
  'manifest_file',
  // What assistive technology is told about the page; null if unknown.
  'heard_file',
  // The browser that made it; null if unknown.
  'capture_engine',
] as const;

/** The pointer to the newest version of one (suite, path, viewport), and how that was made. Files are object names. */
export type Baseline = SelectedRow<'baselines', typeof BASELINE_COLUMNS> &
  SelectedRow<'baseline_versions', typeof MADE_COLUMNS> & { url: string };

export const VERSION_COLUMNS = [
  'id',
  'test_suite_id',
  'path',
  'url',
  'viewport',
  'version',
  'file_path',
  'source',
  'approved_at',
  'test_run_id',
  'page_result_id',
  // Percentage of pixels that differ from the version it replaced; null for the first.
  'diff_score',
  'pr_number',
  'note',
  // The number of the earlier version whose screenshot it has again. Null when it restores none.
  'restored_version',
  'created_at',
  'updated_at',
] as const;

/** One immutable entry of a key's history. */
export type BaselineVersion = SelectedRow<'baseline_versions', typeof VERSION_COLUMNS> & {
  approvedBy: UserSummary | null;
};

/** A version and the one before it, for a page's timeline. */
export type BaselineVersionEvent = BaselineVersion & {
  previousFilePath: string | null;
  previousVersionId: string | null;
};

/** The positions of a baseline, of a version, and of a version in its page's timeline, in their lists. */
export type BaselinePlace = [path: string, viewport: string];
export type VersionPlace = [path: string, viewport: string, version: number];
export type EventPlace = [approvedAt: string, version: number, viewport: string];

/** Selects versions of a page's timeline, of one viewport or of all. `ids`: no others. */
export type HistoryPart = ListPart<EventPlace> & { viewport?: string | undefined; ids?: string[] };

export const MAKING_COLUMNS = [...MADE_COLUMNS, 'compare_engine'] as const;
/** How a screenshot was made, and with what it was compared. */
export type Making = SelectedRow<'baseline_versions', typeof MAKING_COLUMNS>;

/** What another screenshot with the same bytes can add. */
export type KnownMaking = Pick<Making, 'atRest' | 'captureWay' | 'manifestFile' | 'heardFile'>;

/** What is known of two screenshots with the same bytes. What the later one says counts. */
export const mergeMaking = (earlier: KnownMaking, later: KnownMaking): KnownMaking => ({
  atRest: earlier.atRest || later.atRest,
  captureWay: later.captureWay ?? earlier.captureWay,
  manifestFile: later.manifestFile ?? earlier.manifestFile,
  heardFile: later.heardFile ?? earlier.heardFile,
});

/** A screenshot that is to become the next version of its key. */
export type Promotion = Making & {
  path: string;
  viewport: string;
  filePath: string;
  source: BaselineSource;
  approvedById: string | null;
  testRunId: string | null;
  /** Null for a restored version: it may be restored any number of times. */
  pageResultId: string | null;
  /** Compared with `comparedVersionId`; null when it was not measured. */
  diffScore: number | null;
  /** The version that the reviewer saw next to the screenshot; null when there was none. */
  comparedVersionId: string | null;
  prNumber: number | null;
  /** The commit by which the pull request was merged. Null when there is none, or it is not known. */
  mergeCommitSha?: string | null;
  note: string | null;
  /** The number of the version that it restores, and the result whose promotion this undoes. */
  restoredVersion?: number;
  undoneResultId?: string;
  /** For source INITIAL: replaces a version that was not taken at rest. Otherwise a seed never replaces a version. */
  renews?: boolean;
};

/** The part of a key's current version that a promotion needs. */
export type CurrentVersion = Pick<Baseline, 'currentVersionId' | 'currentVersion' | 'filePath'> &
  Omit<Making, 'captureEngine' | 'compareEngine'>;

export type VersionDraft = Omit<Promotion, 'comparedVersionId' | 'renews'> & { version: number };

/** The screenshots to measure for the next version's score; null when the promotion already has it or needs none. */
export function pairToMeasure(
  promotion: Promotion,
  current: CurrentVersion | null,
  { threshold, alignment }: CompareSettings,
): ImagePair | null {
  if (current === null || promotion.source === 'INITIAL' || current.filePath === promotion.filePath) return null;
  if (current.currentVersionId === promotion.comparedVersionId && promotion.diffScore !== null) return null;
  return { before: current.filePath, after: promotion.filePath, threshold, alignment };
}

function scoreAgainst(promotion: Promotion, current: CurrentVersion | null, measured: number | null): number | null {
  if (current === null) return null;
  if (current.filePath === promotion.filePath) return 0;
  return current.currentVersionId === promotion.comparedVersionId ? (promotion.diffScore ?? measured) : measured;
}

function noteFor(promotion: Promotion, current: CurrentVersion | null): string | null {
  const moved = current !== null && current.currentVersionId !== promotion.comparedVersionId;
  if (!moved || current.filePath === promotion.filePath) return promotion.note;
  const remark = `Version ${current.currentVersion} was approved after this screenshot was compared.`;
  return promotion.note === null ? remark : `${promotion.note}\n${remark}`;
}

/**
 * The version after `current`. Null for a seed of a key that already has a version, unless it renews that
 * very version.
 * @param measured the score of `pairToMeasure`.
 */
export function nextVersion(
  promotion: Promotion,
  current: CurrentVersion | null,
  measured: number | null,
): VersionDraft | null {
  const { comparedVersionId: _, renews = false, ...rest } = promotion;
  if (
    promotion.source === 'INITIAL' &&
    current !== null &&
    !(renews && current.currentVersionId === promotion.comparedVersionId)
  ) {
    return null;
  }
  // What is known about a screenshot is kept when the same one is approved again.
  const same = current?.filePath === promotion.filePath ? current : null;
  return {
    ...rest,
    ...(same !== null && mergeMaking(same, promotion)),
    elementsFile: promotion.elementsFile ?? same?.elementsFile ?? null,
    version: (current?.currentVersion ?? 0) + 1,
    diffScore: scoreAgainst(promotion, current, measured),
    note: noteFor(promotion, current),
  };
}

/** Object names of two images, and how their suite compares. Objects never change, so scores stay valid. */
export type ImagePair = { before: string; after: string } & CompareSettings;

export type CompareSettings = { threshold: number; alignment: boolean };

/** Scores of pairs, by `pairKey`: the percentage of differing pixels; null when a pair cannot be measured. */
export type Scores = Map<string, number | null>;

/** The scores available to a promotion. `areFinal`: no more pairs are measured, and a missing score stays null. */
export type Measurements = { scores: Readonly<Scores>; areFinal: boolean };

export const NOTHING_MEASURED: Measurements = { scores: new Map(), areFinal: true };

export function pairKey({ before, after, threshold, alignment }: ImagePair): string {
  return JSON.stringify([before, after, threshold, alignment]);
}

/** Rolls the transaction back, as images are not read inside one. It restarts when the pairs are measured. */
export class NotMeasured extends Error {
  readonly pairs: ImagePair[];

  constructor(pairs: ImagePair[]) {
    super(`${pairs.length} images have not been compared with the versions that they replace`);
    this.name = 'NotMeasured';
    this.pairs = pairs;
  }
}

/** @throws NotMeasured when a pair has no score yet and the scores are not final. */
export function assertMeasured(pairs: ImagePair[], { scores, areFinal }: Measurements): void {
  const left = pairs.filter((pair) => !scores.has(pairKey(pair)));
  if (left.length > 0 && !areFinal) throw new NotMeasured(left);
}
