import { countBySection, type ReviewSection } from '../../runs/results/review-section.ts';
import type { Run } from '../../runs/run.ts';

/** A run's progress and findings. Each number counts results. */
export type RunTally = {
  counts: Record<ReviewSection, number>;
  total: number;
  /** Results that are neither pending nor cancelled. */
  settled: number;
  approved: number;
};

export function tallyRun({ sectionCounts, approvedResults }: Pick<Run, 'sectionCounts' | 'approvedResults'>): RunTally {
  const counts = countBySection(sectionCounts.map((results, reviewRank) => ({ reviewRank, results })));
  const total = sectionCounts.reduce((sum, results) => sum + results, 0);
  return { counts, total, settled: total - counts.pending - counts.cancelled, approved: approvedResults };
}
