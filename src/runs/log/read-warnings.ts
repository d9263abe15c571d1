import type { Context } from '../../context.ts';
import type { PageResult } from '../results/result.ts';
import { findWarnings } from './log-store.ts';

/** More warnings are not shown with a result. */
const MOST = 5;

/** What the log of the run warns of about one result, without saying which. */
export async function listWarnings(
  { db }: Pick<Context, 'db'>,
  result: Pick<PageResult, 'testRunId' | 'path' | 'viewport'>,
): Promise<string[]> {
  const where = `${result.path} at ${result.viewport}: `;
  const messages = await findWarnings(db, result, MOST);
  const bare = messages.map((message) => (message.startsWith(where) ? message.slice(where.length) : message));
  return [...new Set(bare)];
}
