import type { Context } from '../../context.ts';
import type { PageResult } from '../results/result.ts';
import { findWarnings } from './log-store.ts';

/** The maximum number of warnings that are shown with a result. */
const MOST = 5;

/** The warnings in the run's log about one result, without its name. */
export async function listWarnings(
  { db }: Pick<Context, 'db'>,
  result: Pick<PageResult, 'testRunId' | 'path' | 'viewport'>,
): Promise<string[]> {
  const where = `${result.path} at ${result.viewport}: `;
  const messages = await findWarnings(db, result, MOST);
  const bare = messages.map((message) => (message.startsWith(where) ? message.slice(where.length) : message));
  return [...new Set(bare)];
}
