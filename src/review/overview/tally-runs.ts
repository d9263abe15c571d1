import type { Context } from '../../context.ts';
import { countSectionsOfRuns } from './overview-store.ts';
import type { ReviewSection } from '../list/review-section.ts';
import { countBySection } from '../list/review-section.ts';

/** A run's progress and findings. Each number counts results. */
export type RunTally = {
  counts: Record<ReviewSection, number>;
  total: number;
  /** Results that are neither pending nor cancelled. */
  settled: number;
  approved: number;
};

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** The tally of each run, by its id, in one query for any number of runs. The caller has authorized the runs. */
export async function tallyRuns({ db }: Pick<Context, 'db'>, runIds: string[]): Promise<Map<string, RunTally>> {
  if (runIds.length === 0) return new Map();
  const rows = await countSectionsOfRuns(db, runIds);
  return new Map(
    runIds.map((id): [string, RunTally] => {
      const ofRun = rows.filter(({ testRunId }) => testRunId === id);
      const counts = countBySection(ofRun);
      const total = sum(Object.values(counts));
      const settled = total - counts.pending - counts.cancelled;
      return [id, { counts, total, settled, approved: sum(ofRun.map((row) => row.approved)) }];
    }),
  );
}
