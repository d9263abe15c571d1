import { formatCount, shortSha } from '../text/format.ts';
import type { CheckResult } from './check.ts';
import { formatCauses } from './check-causes.ts';
import { formatChanges } from './check-changes.ts';
import type { CheckSituation } from './check-verdict.ts';
import { isError, isNewScreenshot, isUnapproved } from './check-verdict.ts';
import { cut, fenceFor, inCell } from './markdown-code.ts';
import { formatSearch } from './format-search.ts';
import { isChanged } from '../runs/results/result.ts';

/** The links of a summary. The caller builds them, as they depend on the configuration. */
export type CheckLinks = {
  run: string;
  /** The suite's settings. */
  settings: string;
  resultUrl: (resultId: string) => string;
  /** Null when GitHub cannot fetch the image. */
  imageUrl: (objectName: string) => string | null;
};

const ROWS = 50;
const MAX_DIFF_IMAGES = 3;
/** GitHub refuses 65,535 characters. We count bytes: a text never has fewer bytes than characters. */
const MAX_BYTES = 65_000;
const MAX_PATH = 180;
const MAX_TEXT = 4_000;

function asBlock(text: string): string {
  const body = cut(text, MAX_TEXT);
  const fence = fenceFor(body, 3);
  return `${fence}text\n${body}\n${fence}`;
}

function formatDiff(result: CheckResult): string {
  if (isError(result)) return 'error';
  if (isNewScreenshot(result)) return result.approved ? 'new, approved' : 'new';
  const percent = `${result.diffScore ?? 0}%`;
  return result.approved ? `${percent}, approved` : percent;
}

/** Errors first, then changes, largest first, then new results. */
function worthShowing(results: CheckResult[]): CheckResult[] {
  const rank = (result: CheckResult) => (isError(result) ? 0 : isChanged(result) ? 1 : 2);
  return results
    .filter((result) => isError(result) || isChanged(result) || isNewScreenshot(result))
    .sort((one, other) => rank(one) - rank(other) || (other.diffScore ?? 0) - (one.diffScore ?? 0));
}

function formatRow(result: CheckResult, links: CheckLinks): string {
  const look = `[${isError(result) ? 'See' : 'Review'}](${links.resultUrl(result.id)})`;
  return `| ${inCell(result.path, MAX_PATH)} | ${inCell(result.viewport, 64)} | ${formatDiff(result)} | ${look} |`;
}

function formatTable(shown: CheckResult[], rows: number, links: CheckLinks): string[] {
  if (shown.length === 0) return [];
  const lines = shown.slice(0, rows).map((result) => formatRow(result, links));
  const table = ['| Path | Viewport | Difference | |', '| --- | --- | --- | --- |', ...lines].join('\n');
  const left = shown.length - lines.length;
  return left === 0 ? [table] : [table, `…and ${left} more: [see all](${links.run}).`];
}

function formatDiffImages(results: CheckResult[], links: CheckLinks): string[] {
  return results
    .filter((result) => isChanged(result) && result.diffFile !== null)
    .sort((one, other) => (other.diffScore ?? 0) - (one.diffScore ?? 0))
    .slice(0, MAX_DIFF_IMAGES)
    .flatMap((result) => {
      const address = result.diffFile === null ? null : links.imageUrl(result.diffFile);
      if (address === null) return [];
      const caption = `${inCell(result.path, MAX_PATH)} at ${inCell(result.viewport, 64)}`;
      return [`${caption}\n\n[![Diff image](${address})](${links.resultUrl(result.id)})`];
    });
}

function introduction({ run, results }: CheckSituation, links: CheckLinks): string[] {
  const head = run.git?.headSha === undefined ? '' : ` of ${shortSha(run.git.headSha)}`;
  const page = `[Run${head}](${links.run})`;
  const preview = run.git?.previewUrl;
  const lines = [preview === undefined ? `${page}.` : `${page} against ${inCell(preview, MAX_PATH)}.`];
  if (!run.isGated) {
    const base = inCell(run.git?.baseBranch ?? '', MAX_PATH);
    lines.push(
      `${base} is not one of the base branches that this suite gates. What changed is shown for information: it needs no approval, and the merge changes no baseline.`,
    );
  }
  const carried = results.filter((result) => result.approved && result.carriedOver).length;
  if (carried > 0) {
    lines.push(`${formatCount(carried, 'screenshot')} carried over from an earlier approval in this pull request.`);
  }
  const fresh = results.filter((result) => isNewScreenshot(result) && isUnapproved(result)).length;
  if (fresh > 0 && run.isGated) {
    lines.push(
      `${formatCount(fresh, 'new screenshot')} without a baseline. Approved screenshots become baselines when this pull request is merged.`,
    );
  }
  const cutOff = results.filter((result) => result.cut).length;
  if (cutOff > 0)
    lines.push(`${formatCount(cutOff, 'page')} went on outside of the screenshot; the rest was not compared.`);
  if (run.metadata?.error !== undefined) lines.push(asBlock(run.metadata.error));
  return lines;
}

/**
 * The Markdown text under a check's title: what changed by cause, a table of at most 50 results, and the three largest differences as images if
 * GitHub can fetch them. Always shorter than 65,535 bytes, GitHub's limit. Pure.
 */
export function formatSummary(situation: CheckSituation, notice: string | null, links: CheckLinks): string {
  const shown = worthShowing(situation.results);
  const opening = [
    ...(notice === null ? [] : [asBlock(notice)]),
    ...introduction(situation, links),
    ...formatSearch(situation, links.settings),
    ...formatChanges(situation.changes, links.run),
    ...formatCauses(situation.results, links.run),
  ];
  const diffImages = formatDiffImages(situation.results, links);
  const withRows = (rows: number) => [...opening, ...formatTable(shown, rows, links), ...diffImages].join('\n\n');
  for (let rows = ROWS; rows > 0; rows -= 1) {
    const summary = withRows(rows);
    if (Buffer.byteLength(summary) <= MAX_BYTES) return summary;
  }
  return [...opening, ...formatTable(shown, 0, links)].join('\n\n');
}
