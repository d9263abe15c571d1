import type { Context } from '../../context.ts';
import type { RunFor } from '../read-run.ts';
import { findResults } from './result-store.ts';
import type { Cause, PageResult, ResultCounts } from './result.ts';
import { countByStatus } from './result.ts';

export type GroupedResults = {
  /** By path, each group in the order of the run's viewports. */
  groups: Map<string, PageResult[]>;
  counts: ResultCounts;
  countsByPath: Map<string, ResultCounts>;
};

/** @param filter.cause only results with this cause; they are those that are counted, too. */
export async function listResults(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { cause }: { cause?: Cause | undefined } = {},
): Promise<GroupedResults> {
  const results = (await findResults(db, run.id)).filter((result) => cause === undefined || result.cause === cause);
  const groups = new Map<string, PageResult[]>();
  for (const result of results) {
    const group = groups.get(result.path);
    if (group === undefined) groups.set(result.path, [result]);
    else group.push(result);
  }
  const countsByPath = new Map([...groups].map(([path, group]) => [path, countByStatus(group)]));
  return { groups, counts: countByStatus(results), countsByPath };
}
