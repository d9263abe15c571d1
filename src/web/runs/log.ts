import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Id, onRun } from '../../http/acts-on.ts';
import { readRunOverview } from '../../review/overview/read-run-overview.ts';
import { countLogLines, readLogPart, type LogCounts } from '../../runs/log/read-logs.ts';
import { LOG_TYPES, type LogType, type RunLog } from '../../runs/log/run-log.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatDuration, formatSeconds } from '../../text/format.ts';
import { many } from '../form-field.ts';
import { LOG_PACE, nextWait, waitParam } from '../live-poll.ts';
import { pageRoute, redirect, withQuery } from '../web-route.ts';
import { readRunHead } from './run-head.ts';

/** How many lines are shown at once. */
const PART = 300;

/** `label` is used in the filter, `word` before each line. */
const TYPES: Record<LogType, { label: string; word: string; tone: string }> = {
  ERROR: { label: 'Errors', word: 'Error', tone: 'danger' },
  WARNING: { label: 'Warnings', word: 'Warning', tone: 'attention' },
  SUCCESS: { label: 'Passed', word: 'Passed', tone: 'success' },
  INFO: { label: 'Info', word: 'Info', tone: 'accent' },
  SYSTEM: { label: 'System', word: 'System', tone: 'muted' },
  DEBUG: { label: 'Debug', word: 'Debug', tone: 'muted' },
  PROGRESS: { label: 'Progress', word: 'Progress', tone: 'muted' },
};
const SHOWN_FIRST: LogType[] = ['ERROR', 'WARNING', 'SUCCESS', 'INFO', 'SYSTEM', 'DEBUG', 'PROGRESS'];

/** The types that are shown by default. PROGRESS is hidden: it has one line for every screenshot, which only counts. */
const BY_DEFAULT = LOG_TYPES.filter((type) => type !== 'PROGRESS');

const Filter = z.object({
  type: many.transform((values) => LOG_TYPES.filter((type) => values.includes(type))),
  before: Id.optional().catch(undefined),
  after: Id.optional().catch(undefined),
  wait: waitParam(LOG_PACE),
});

type Chosen = Pick<z.output<typeof Filter>, 'type'>;

const logPath = (runId: string, { type }: Chosen, more: Record<string, string | number | undefined> = {}): string =>
  withQuery(`/runs/${runId}/log`, { type, ...more });

const chosenTypes = ({ type }: Chosen) => (type.length === 0 ? BY_DEFAULT : type);

/**
 * Shows the time since the run was created, such as `+4.2s`. This shows at a glance what took long, and does not
 * depend on the time zone.
 */
function logLineModel({ type, message, timestamp }: RunLog, since: Date) {
  const seconds = Math.max(0, timestamp.getTime() - since.getTime()) / 1000;
  const elapsed = `+${seconds < 60 ? formatSeconds(seconds, 'narrow') : formatDuration(seconds)}`;
  const { word, tone } = TYPES[type];
  return { word, tone, message, timestamp, elapsed };
}

function filterModel(counts: LogCounts, chosen: Chosen) {
  const types = chosenTypes(chosen);
  return SHOWN_FIRST.filter((type) => counts[type] > 0 || chosen.type.includes(type)).map((type) => ({
    type,
    label: TYPES[type].label,
    count: counts[type],
    checked: types.includes(type),
  }));
}

/** The latest lines, or those before a given line. New lines are added below while the run is in flight. */
export const getLog = pageRoute(
  { path: '/runs/:id/log', ...onRun('suite.read'), query: Filter },
  async (ctx: Context, { run, query, htmx }) => {
    const { id } = run;
    const { before, after, wait } = query;
    const types = chosenTypes(query);
    const { lines, hasMore } = await readLogPart(ctx, run, { types, after, before, limit: PART });
    const inFlight = isInFlight(run.status);
    const last = lines.at(-1)?.id ?? after;
    const pause = nextWait(LOG_PACE, wait, lines.length > 0);
    const live =
      inFlight && before === undefined ? { next: logPath(id, query, { after: last, wait: pause }), pause } : null;
    const shown = lines.map((line) => logLineModel(line, run.createdAt));
    if (htmx) {
      // Lines that were written while the run ended are shown first. The redirect then shows that the run has ended.
      if (!inFlight && shown.length === 0) return redirect(logPath(id, query));
      const next = live ?? { next: logPath(id, query, { after: last }), pause: LOG_PACE.soonest };
      return { kind: 'fragment', view: 'runs/log-news', model: { lines: shown, live: next } };
    }
    const overview = await readRunOverview(ctx, run);
    const [head, counts] = await Promise.all([readRunHead(ctx, overview), countLogLines(ctx, run)]);
    const hidden = query.type.length === 0 ? counts.PROGRESS : 0;
    const model = {
      head,
      run: { href: `/runs/${id}`, title: head.title },
      action: `/runs/${id}/log`,
      filter: filterModel(counts, query),
      lines: shown,
      older: hasMore ? logPath(id, query, { before: lines[0]?.id }) : null,
      newest: before === undefined ? null : logPath(id, query),
      live,
      hidden: hidden === 0 ? null : { count: hidden, href: logPath(id, { type: [...LOG_TYPES] }) },
      isChosen: query.type.length > 0,
    };
    return { kind: 'page', view: 'runs/log', title: `Log · ${head.pageTitle}`, model, section: 'runs' };
  },
);
