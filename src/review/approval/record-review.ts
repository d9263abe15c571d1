import { toActor } from '../../auth/to-actor.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Db } from '../../db/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { runDetails } from '../../runs/run-name.ts';
import { findGateOfRun } from '../../runs/run-store.ts';
import type { Run } from '../../runs/run.ts';

/** What one decision approved. */
export type ApprovedParts = {
  results?: number;
  changes?: number;
  versions?: number;
  settings?: boolean;
  note?: string | null | undefined;
};

/** Records what a person approved at once, after everything else that the decision does to the gate. */
export async function recordApproval(trx: Db, run: Run, viewer: Viewer, approved: ApprovedParts): Promise<void> {
  const { results = 0, changes = 0, versions = 0, settings = false, note = null } = approved;
  if (results + changes === 0 && !settings) return;
  const { reviewState } = await findGateOfRun(trx, run.id);
  await recordEvent(trx, toActor(viewer), {
    kind: 'review.approved',
    suiteId: run.testSuiteId,
    runId: run.id,
    details: {
      ...runDetails(run),
      results,
      changes,
      versions,
      settings,
      note,
      reviewState,
    },
  });
}

/** Records what a person took back at once. */
export async function recordUndo(
  trx: Db,
  run: Run,
  viewer: Viewer,
  { undone, withdrawn, restored }: { undone: number; withdrawn: number; restored: number },
): Promise<void> {
  if (undone + withdrawn === 0) return;
  await recordEvent(trx, toActor(viewer), {
    kind: 'review.undone',
    suiteId: run.testSuiteId,
    runId: run.id,
    details: {
      ...runDetails(run),
      approvals: undone,
      requests: withdrawn,
      versions: restored,
    },
  });
}
