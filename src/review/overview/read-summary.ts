import type { Context } from '../../context.ts';
import type { Listed, ListPart } from '../../db/list-part.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { ChangeGroup, ChangePlace } from '../changes/change-group.ts';
import { listChangesAfter } from '../changes/list-changes.ts';
import { readRunOverview, type RunOverview } from './read-run-overview.ts';

/** How many changes a part of a summary has at most. */
export const SUMMARY_CHANGES = 10;

/** Only the number of variants of each change is needed. */
const RESULTS_OF_VARIANTS = 1;

/** What a run found, by cause: counts, and a part of its changes. `total`: how many changes there are. */
export type RunSummary = {
  overview: RunOverview;
  changes: Listed<ChangeGroup, ChangePlace> & { total: number };
};

export async function readSummary(
  ctx: Pick<Context, 'db' | 'clock'>,
  run: RunFor,
  part: ListPart<ChangePlace>,
): Promise<RunSummary> {
  const [overview, changes] = await Promise.all([
    readRunOverview(ctx, run),
    listChangesAfter(ctx, run, part, RESULTS_OF_VARIANTS),
  ]);
  return { overview, changes };
}
