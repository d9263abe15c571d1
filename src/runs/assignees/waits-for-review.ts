import { isDecidable, isInFlight, type Run } from '../run.ts';

/** Whether the run waits for its assignees. */
export const waitsForReview = ({ status, reviewState, isGated }: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isGated && isDecidable(status) && reviewState === 'PENDING';

/** Whether it makes sense to assign the run: it waits for a review, or may turn out to. */
export const isAssignable = (run: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isInFlight(run.status) || waitsForReview(run);
