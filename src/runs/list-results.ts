import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { readRun } from './read-run.ts';
import type { PageResult, ResultCounts } from './result.ts';
import { countByStatus } from './result.ts';

export type GroupedResults = {
  /** By path, each group in the order of the run's viewports. */
  groups: Map<string, PageResult[]>;
  counts: ResultCounts;
  countsByPath: Map<string, ResultCounts>;
};

/** @throws AppError not_found. */
export async function listResults(ctx: Pick<Context, 'db'>, viewer: Viewer, runId: string): Promise<GroupedResults> {
  const { results } = await readRun(ctx, viewer, runId, 'suite.read');
  const groups = new Map<string, PageResult[]>();
  for (const result of results) {
    const group = groups.get(result.path);
    if (group === undefined) groups.set(result.path, [result]);
    else group.push(result);
  }
  const countsByPath = new Map([...groups].map(([path, group]) => [path, countByStatus(group)]));
  return { groups, counts: countByStatus(results), countsByPath };
}
