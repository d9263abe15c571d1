import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { findNewestUnmatchedSelectors } from './run-store.ts';

/** Selectors of rules that matched nothing on any page of the suite's newest finished run. */
export async function readUnmatchedSelectors(
  { db }: Pick<Context, 'db'>,
  suite: Pick<SuiteFor, 'id'>,
): Promise<string[]> {
  return findNewestUnmatchedSelectors(db, suite.id);
}
