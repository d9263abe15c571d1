import { describeWhere, type ChangeGroup, type Crop, type Variant } from '../../review/changes/change-group.ts';
import { formatCount, ifAny } from '../../text/format.ts';
import { inCell, inCode } from '../../text/markdown-code.ts';
import { readablePath } from '../../text/readable-path.ts';
import type { CheckLinks } from './check-links.ts';
import type { CheckChanges, CheckResult } from './check.ts';

/** The maximum number of groups in a check. */
export const MAX_GROUPS = 50;

const MAX_ELEMENT = 80;
const MAX_SUMMARY = 160;
const MAX_PATH = 120;
const PATHS_SHOWN = 3;

function formatPaths(paths: string[]): string {
  const shown = paths.slice(0, PATHS_SHOWN).map((path) => inCode(readablePath(path), MAX_PATH));
  const left = paths.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${formatCount(left, 'more page')}`;
}

/** `3 pages × 2 viewports: /, /prices, /about`. */
function formatWhere(where: Pick<ChangeGroup, 'paths' | 'viewports' | 'count'>): string {
  const pages = formatPaths(where.paths);
  if (where.count === 1) return `${pages} at ${inCode(where.viewports.join(), MAX_PATH)}`;
  return `${describeWhere(where)}: ${pages}`;
}

type Sides = { before: Crop | null; after: Crop | null };

/** The two cells of a table with both images; null when GitHub can fetch neither. */
function formatSides({ before, after }: Sides, review: string, links: CheckLinks): string | null {
  const show = (crop: Crop | null, what: string) => {
    const address = crop && links.cropUrl(crop);
    return address === null ? null : `[![${what}](${address})](${review})`;
  };
  const [one, other] = [show(before, 'Before'), show(after, 'After')];
  return one === null && other === null ? null : `${one ?? '—'} | ${other ?? '—'}`;
}

function formatCrops({ beforeCrop, afterCrop }: ChangeGroup, review: string, links: CheckLinks): string[] {
  const sides = formatSides({ before: beforeCrop, after: afterCrop }, review, links);
  return sides === null ? [] : [`| Before | After |\n| --- | --- |\n| ${sides} |`];
}

/** Each variant with where it occurs, then with what it looks like. */
function formatVariants({ variants, variantCount }: ChangeGroup, review: string, links: CheckLinks): string[] {
  const lines = variants.map((variant, at) => `${at + 1}. ${formatWhere(variant)}`);
  const left = variantCount - variants.length;
  const rest = ifAny(left, `…and ${formatCount(left, 'more variant')}: [see all](${review}).`);
  const rows = variants.flatMap(({ pictures: [first] }: Variant, at) => {
    const { wholeBefore: before = null, wholeAfter: after = null } = first ?? {};
    const sides = formatSides({ before, after }, review, links);
    return sides === null ? [] : [`| ${at + 1} | ${sides} |`];
  });
  const table = rows.length === 0 ? [] : [['| Variant | Before | After |', '| --- | --- | --- |', ...rows].join('\n')];
  return [lines.join('\n'), ...rest, ...table];
}

/** Where it occurs, folded, with at most this many rows. */
function formatRows({ key, count }: ChangeGroup, results: CheckResult[], rows: number, links: CheckLinks): string[] {
  const its = results.filter(({ changeIds }) => changeIds?.includes(key) === true);
  const shown = its.slice(0, rows);
  if (shown.length === 0) return [];
  const lines = shown.map(
    ({ id, path, viewport, approved }) =>
      `| [${inCell(readablePath(path), MAX_PATH)}](${links.resultUrl(id)}?change=${key}) | ${inCell(viewport, MAX_PATH)} |${approved ? ' approved' : ''} |`,
  );
  const left = count - shown.length;
  return [
    `<details>\n<summary>${formatCount(count, 'screenshot')}</summary>`,
    ['| Path | Viewport | |', '| --- | --- | --- |', ...lines].join('\n'),
    ...(left > 0 ? [`…and ${formatCount(left, 'more screenshot')}.`] : []),
    '</details>',
  ];
}

type Shown = { results: CheckResult[]; rows: number; links: CheckLinks };

function formatGroup(group: ChangeGroup, { results, rows, links }: Shown): string {
  const { key, element, summary, pending, faint, drift, variantCount } = group;
  const isVaried = variantCount > 1;
  const review = `${links.run}/changes/${key}`;
  const name = element === '' ? 'Unknown element' : inCode(element, MAX_ELEMENT);
  const state = [
    ...(isVaried ? [`in ${formatCount(variantCount, 'variant')}`] : []),
    ...(faint ? ['faint'] : []),
    ...(drift ? ['drifted, needs no approval'] : pending === 0 ? ['approved'] : []),
  ];
  const heading = [`**${name}**`, ...(summary === '' ? [] : [inCode(summary, MAX_SUMMARY)])].join(' ');
  const where = [formatWhere(group), ...state, `[Review](${review})`].join(' · ');
  const looks = isVaried ? formatVariants(group, review, links) : formatCrops(group, review, links);
  return [`${heading}\\\n${where}`, ...looks, ...formatRows(group, results, rows, links)].join('\n\n');
}

/** The first `shown` changes, each with its pictures. Empty if the run has no changes. */
export function formatGroups({ groups, total }: CheckChanges, shown: number, of: Shown): string[] {
  const { links } = of;
  if (groups.length === 0) return [];
  const parts = groups.slice(0, shown).map((group) => formatGroup(group, of));
  const left = total - parts.length;
  const rest = parts.length === 0 ? formatCount(left, 'change') : `…and ${formatCount(left, 'more change')}`;
  return [`### ${formatCount(total, 'change')}`, ...parts, ...ifAny(left, `${rest}: [see all](${links.run}).`)];
}
