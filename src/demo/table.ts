import type { PageResult } from './api-shapes.ts';

const GREEN = '\u001B[32m';
const RED = '\u001B[31m';
const PLAIN = '\u001B[0m';

function painted(cell: string, padded: string): string {
  if (cell.startsWith('PASS')) return `${GREEN}${padded}${PLAIN}`;
  return cell.startsWith('FAIL') || cell.startsWith('ERROR') ? `${RED}${padded}${PLAIN}` : padded;
}

/** Each column is as wide as its widest cell, with two spaces between columns. The last column is not padded. */
export function formatTable(head: string[], rows: string[][], colored: boolean): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[], paint: (cell: string, padded: string) => string) =>
    cells
      .map((cell, i) => paint(cell, i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const asIs = (_: string, padded: string) => padded;
  const rule = widths.map((width, i) => '-'.repeat(i === head.length - 1 ? (head[i]?.length ?? 0) : width));
  return [line(head, asIs), line(rule, asIs), ...rows.map((row) => line(row, colored ? painted : asIs))].join('\n');
}

export const statusCell = (result: PageResult) => (result.isNew ? `${result.status} (new)` : result.status);

/** The percentage of differing pixels. Empty if nothing was compared. */
export const diffCell = (result: PageResult) => (result.diffScore === null ? '' : result.diffScore.toFixed(4));

/** The full URL of the diff image. Empty if there is none. */
export function diffImageCell(result: PageResult, service: string): string {
  return result.diffFile === null ? '' : new URL(result.diffFile, service).href;
}

/** Sorted by path, then by the suite's order of viewports. */
export function inOrder(results: PageResult[], viewports: string[]): PageResult[] {
  const rank = (result: PageResult) => viewports.indexOf(result.viewport);
  return [...results].sort((a, b) => (a.path ?? a.url).localeCompare(b.path ?? b.url) || rank(a) - rank(b));
}
