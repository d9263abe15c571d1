import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { findSection } from '../../runs/results/review-section.ts';
import { runNumber } from '../../runs/run-name.ts';
import { APPROVED_BADGE, decisionBadge, SECTION_BADGES } from '../badge.ts';
import { runPath, type ReviewAddress } from './results/address.ts';
import { CHANGE_BADGES, changeTitle, stopBadge } from './results/change-list.ts';
import type { ChangeWalk } from './results/change-walk.ts';

/** The row above the screenshots: the position, what changed in words, and the state. */
export function resultHead(
  { run, suite }: RunOverview,
  { result }: Pick<ReviewResult, 'result'>,
  { filter }: ReviewAddress,
  walk: ChangeWalk | null,
  position: string,
) {
  const { pageId, path, viewport } = result;
  const decided = decisionBadge(result);
  const state = walk === null ? (decided ?? SECTION_BADGES[findSection(result)]) : stopBadge(walk.stop);
  const kind = walk === null ? null : CHANGE_BADGES[walk.stop.kind];
  const badges = [...(kind === null ? [] : [kind]), ...(state === null ? [] : [state])];
  const isPart = walk !== null && state !== APPROVED_BADGE && decided !== null && decided !== state;
  const label = badges.map((badge) => badge.label).join(', ');
  return {
    suite: { name: suite.name, href: `/suites/${suite.id}` },
    run: {
      label: runNumber(run),
      href: walk === null && filter.rest !== true ? runPath(run.id, { ...filter }) : `/runs/${run.id}`,
    },
    byPage: `/runs/${run.id}?view=pages`,
    change:
      walk === null
        ? null
        : {
            element: walk.stop.element === '' ? null : walk.stop.element,
            summary: changeTitle(walk.stop),
          },
    path,
    viewport,
    badges: isPart ? [...badges, decided] : badges,
    diff: result.status === 'FAIL' ? result.diffScore : null,
    history: pageId === null ? null : `/suites/${suite.id}/pages/${pageId}`,
    url: result.url,
    news: `${walk === null ? '' : `${changeTitle(walk.stop)} ${walk.stop.element}, `}${path} at ${viewport}: ${label}, ${position}`,
  };
}
