import type { ResultOfPage } from '../../runs/page-results/result-of-page.ts';
import { formatCount, formatPercent } from '../../text/format.ts';

const HEIGHT = 60;
const MARGIN = 6;
/** The largest and the smallest distance between two runs, px. */
const STEP = { most: 60, least: 12 };
const WIDTH = 240;

const stepOf = (runs: number): number =>
  Math.max(STEP.least, Math.min(STEP.most, Math.round((WIDTH - 2 * MARGIN) / Math.max(1, runs - 1))));

/** A chart of one viewport: how much the page differed in each run, from the oldest to the newest. */
function chartOf(viewport: string, results: ResultOfPage[]) {
  const scores = results.map(({ diffScore }) => diffScore ?? 0);
  const most = Math.max(...scores);
  const step = stepOf(results.length);
  const points = results.map(({ runNumber, diffScore, stability }, at) => ({
    x: MARGIN + at * step,
    y: Math.round(HEIGHT - MARGIN - ((diffScore ?? 0) / Math.max(most, 0.01)) * (HEIGHT - 2 * MARGIN)),
    title: `Run #${runNumber}: ${formatPercent(diffScore ?? 0)}${stability === 'UNSTABLE' ? ', unstable' : ''}`,
    isUnstable: stability === 'UNSTABLE',
  }));
  const different = scores.filter((score) => score > 0).length;
  return {
    viewport,
    summary: `${viewport}: different in ${different} of ${formatCount(results.length, 'run')}, at most ${formatPercent(most)}`,
    width: 2 * MARGIN + (results.length - 1) * step,
    height: HEIGHT,
    line: points.map(({ x, y }) => `${x},${y}`).join(' '),
    points,
  };
}

/** One chart for each viewport that was compared in at least two runs. */
export function differenceCharts(results: ResultOfPage[]) {
  const compared = results.filter(({ diffScore }) => diffScore !== null).toReversed();
  const viewports = [...new Set(compared.map(({ viewport }) => viewport))].toSorted((a, b) => a.localeCompare(b));
  return viewports.flatMap((viewport) => {
    const own = compared.filter((result) => result.viewport === viewport);
    return own.length < 2 ? [] : [chartOf(viewport, own)];
  });
}

function cellOf(result: ResultOfPage | undefined) {
  if (result === undefined || result.diffScore === null) return { text: '–', href: null };
  const unstable = result.stability === 'UNSTABLE' ? ', unstable' : '';
  const href = `/runs/${result.testRunId}/results/${result.id}`;
  return { text: `${formatPercent(result.diffScore)}${unstable}`, href };
}

/** The same as a table: a row for each run, the newest first, and a column for each viewport. Null: there is no chart. */
export function chartTable(results: ResultOfPage[]) {
  const viewports = differenceCharts(results).map(({ viewport }) => viewport);
  if (viewports.length === 0) return null;
  const byRun = new Map<string, ResultOfPage[]>();
  for (const result of results) byRun.set(result.testRunId, [...(byRun.get(result.testRunId) ?? []), result]);
  const rows = [...byRun.values()].flatMap((ofRun) => {
    const [first] = ofRun;
    if (first === undefined) return [];
    const cells = viewports.map((viewport) => cellOf(ofRun.find((result) => result.viewport === viewport)));
    return [{ run: `#${first.runNumber}`, at: first.at, cells }];
  });
  return { viewports, rows };
}
