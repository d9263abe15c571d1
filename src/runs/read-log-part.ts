import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { SuiteForViewer } from '../suites/suite.ts';
import { countLogTypes, findLogPart } from './log-part-store.ts';
import type { LogPart } from './log-part-store.ts';
import { getRunFor } from './read-run.ts';
import type { LogType, RunLog } from './run-log.ts';
import type { Run } from './run.ts';

/**
 * A part of a run's log, oldest line first, for those who don't want thousands of them at once.
 * @returns `hasMore`: there are further lines in the direction in which the part was asked for.
 * @throws AppError not_found.
 */
export async function readLogPart(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  runId: string,
  part: LogPart,
): Promise<{ run: Run; suite: SuiteForViewer; lines: RunLog[]; hasMore: boolean }> {
  const { run, suite } = await getRunFor(ctx, viewer, runId, 'suite.read');
  const found = await findLogPart(ctx.db, run.id, { ...part, limit: part.limit + 1 });
  const hasMore = found.length > part.limit;
  const lines = part.after === undefined ? found.slice(-part.limit) : found.slice(0, part.limit);
  return { run, suite, lines, hasMore };
}

export type LogCounts = Record<LogType, number>;

/**
 * How many lines of each type.
 * @throws AppError not_found.
 */
export async function countLogLines(ctx: Pick<Context, 'db'>, viewer: Viewer, runId: string): Promise<LogCounts> {
  const { run } = await getRunFor(ctx, viewer, runId, 'suite.read');
  const counts: LogCounts = { INFO: 0, WARNING: 0, ERROR: 0, SUCCESS: 0, PROGRESS: 0, DEBUG: 0, SYSTEM: 0 };
  for (const { type, count } of await countLogTypes(ctx.db, run.id)) counts[type] = count;
  return counts;
}
