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
import { comparePath, resultChoice } from './compare.ts';
import { versionRow } from './version-text.ts';

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

/** How it is chosen for a comparison, in the form of `ScreenshotId`. `label`: for screen readers. */
const choiceOf = (id: string, what: string, viewport: string) => ({ id, label: `Compare ${what} at ${viewport}` });

/** The newest screenshot, and the one before it at the same viewport. */
function suggestPair<T extends { viewport: string; choice: object | null }>(items: T[]): T[] {
  const choosable = items.filter(({ choice }) => choice !== null);
  for (const [at, newer] of choosable.entries()) {
    const older = choosable.slice(at + 1).find(({ viewport }) => viewport === newer.viewport);
    if (older !== undefined) return [newer, older];
  }
  return [];
}

/** Versions and results in one line of time, in the order of `timeline`. Without a screenshot there is no `choice`. */
export function mergeHistory(
  config: Config,
  timeline: PageTimeline['entries'],
  versions: ReturnType<typeof buildTimeline>[number][],
  results: ResultOfPage[],
) {
  const all = [
    ...versions.map((version) => {
      const { id, viewport } = version;
      return { id, viewport, version, result: null, choice: choiceOf(id, `version ${version.version}`, viewport) };
    }),
    ...results.map((found) => {
      const { id, viewport, currentFile } = found;
      const choice = choiceOf(resultChoice(id), `the result in run #${found.runNumber}`, viewport);
      const result = resultEntry(config, found);
      return { id, viewport, version: null, result, choice: currentFile === null ? null : choice };
    }),
  ];
  const byId = new Map(all.map((item) => [item.id, item]));
  const items = timeline.flatMap(({ id }) => byId.get(id) ?? []);
  const [newer, older] = suggestPair(items);
  return items.map((item) => ({
    ...item,
    choice: item.choice && { ...item.choice, from: item === older, to: item === newer },
  }));
}
