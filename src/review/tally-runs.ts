import type { Context } from '../context.ts';
import { countSectionsOfRuns } from './overview-store.ts';
import type { ReviewSection } from './review-section.ts';
import { countBySection } from './review-section.ts';

/** How far a run is and what it found, in numbers of results. */
export type RunTally = {
  counts: Record<ReviewSection, number>;
  total: number;
  /** Neither pending nor cancelled before they were captured. */
  settled: number;
  approved: number;
};

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** What each of the runs found, by the run's id; one query however many there are. The caller has authorised them. */
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
