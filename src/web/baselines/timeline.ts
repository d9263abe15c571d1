import type { BaselineVersionEvent } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { PageTimeline, ResultOfPage } from '../../runs/page-results/result-of-page.ts';
import { findSection } from '../../runs/results/review-section.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { APPROVED_BADGE, SECTION_BADGES } from '../badge.ts';
import { imagePath, thumbnail } from '../comparison/read-image.ts';
import { listPermissions } from '../permissions.ts';
import { describeStability } from '../stability.ts';
import { comparePath, resultChoice } from './screenshot-choice.ts';
import { versionRow } from './version-text.ts';

export type TimelineEntry = ReturnType<typeof buildTimeline>[number];

/** @param currentIds the current version of each viewport */
export function buildTimeline(
  { config, suite, page }: { config: Config; suite: SuiteForViewer; page: SitePage },
  events: BaselineVersionEvent[],
  currentIds: Set<string>,
) {
  const mayApprove = listPermissions(suite.access).approve;
  return events.map((event) => ({
    ...versionRow(config, suite, event),
    current: currentIds.has(event.id),
    thumbnail: thumbnail(event.filePath, 'small'),
    compare:
      event.previousVersionId === null ? null : comparePath(page, { from: event.previousVersionId, to: event.id }),
    mayRestore: mayApprove && !currentIds.has(event.id),
  }));
}

type ResultEntry = ReturnType<typeof resultEntry>;

function resultEntry(config: Config, result: ResultOfPage) {
  const { id, testRunId, viewport, at, runNumber, approved, status, diffScore, currentFile } = result;
  return {
    id,
    viewport,
    at,
    href: `/runs/${testRunId}/results/${id}`,
    run: `#${runNumber}`,
    badge: approved ? APPROVED_BADGE : SECTION_BADGES[findSection(result)],
    diff: status === 'FAIL' ? diffScore : null,
    stability: describeStability(result),
    image: currentFile === null ? null : imagePath(config, currentFile),
    thumbnail: currentFile === null ? null : thumbnail(currentFile, 'small'),
  };
}

export type HistoryItem = {
  version: TimelineEntry | null;
  result: ResultEntry | null;
  /** How it can be compared with another; null: it has no screenshot. */
  choice: ItemChoice | null;
};

type ItemChoice = {
  /** In the form of `ScreenshotId`. */
  id: string;
  /** For screen readers. */
  label: string;
  /** Whether it is initially selected for a comparison. */
  from: boolean;
  to: boolean;
};

const compareLabel = (what: string, viewport: string) => `Compare ${what} at ${viewport}`;

function versionItem(version: TimelineEntry): HistoryItem {
  const label = compareLabel(`version ${version.version}`, version.viewport);
  return { version, result: null, choice: { id: version.id, label, from: false, to: false } };
}

function resultItem(result: ResultEntry): HistoryItem {
  const label = compareLabel(`the result in run ${result.run}`, result.viewport);
  const choice = { id: resultChoice(result.id), label, from: false, to: false };
  return { version: null, result, choice: result.image === null ? null : choice };
}

const viewportOf = ({ version, result }: HistoryItem) => version?.viewport ?? result?.viewport;

/** The newest screenshot, and the one before it at the same viewport. */
function suggestPair(items: HistoryItem[]): void {
  const choosable = items.filter(({ choice }) => choice !== null);
  for (const [at, newer] of choosable.entries()) {
    const older = choosable.slice(at + 1).find((item) => viewportOf(item) === viewportOf(newer));
    if (!older?.choice || !newer.choice) continue;
    older.choice.from = true;
    newer.choice.to = true;
    return;
  }
}

/** Versions and results in one line of time, in the order of `timeline`. */
export function mergeHistory(
  config: Config,
  timeline: PageTimeline['entries'],
  versions: TimelineEntry[],
  results: ResultOfPage[],
): HistoryItem[] {
  const byId = new Map([
    ...versions.map((version): [string, HistoryItem] => [version.id, versionItem(version)]),
    ...results.map((result): [string, HistoryItem] => [result.id, resultItem(resultEntry(config, result))]),
  ]);
  const items = timeline.flatMap(({ id }) => byId.get(id) ?? []);
  suggestPair(items);
  return items;
}
