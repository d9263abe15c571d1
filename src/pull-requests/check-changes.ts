import type { ChangeGroup } from '../review/changes/change-group.ts';
import { describeWhere } from '../review/changes/describe-where.ts';
import { formatCount } from '../text/format.ts';
import { inCell } from './markdown-code.ts';

/** The first of a run's groups of changes, and how many there are. */
export type CheckChanges = { groups: ChangeGroup[]; total: number };

/** As many groups as a check lists. */
export const MAX_GROUPS = 20;

const MAX_ELEMENT = 80;
const MAX_SUMMARY = 160;

function formatGroup(group: ChangeGroup, runUrl: string): string {
  const { key, element, summary, pending, faint, drift } = group;
  const name = element === '' ? 'part of the page' : inCell(element, MAX_ELEMENT);
  const decision = drift ? ['drift'] : pending === 0 ? ['approved'] : [];
  const state = [...(faint ? ['faint'] : []), ...decision].join(', ');
  const where = inCell(describeWhere(group), MAX_SUMMARY);
  const link = `[Review](${runUrl}#change-${key})`;
  return `| ${name} | ${inCell(summary, MAX_SUMMARY)} | ${where} | ${state} | ${link} |`;
}

/** What changed by cause, as a table; nothing when the run has no changes. */
export function formatChanges({ groups, total }: CheckChanges, runUrl: string): string[] {
  if (groups.length === 0) return [];
  const rows = groups.slice(0, MAX_GROUPS).map((group) => formatGroup(group, runUrl));
  const table = ['| Element | Change | Where | | |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  const left = total - rows.length;
  const rest = left <= 0 ? [] : [`…and ${formatCount(left, 'other change')}: [see all](${runUrl}).`];
  return [`**${formatCount(total, 'change')}**`, table, ...rest];
}
