import type { Db } from '../db/database.ts';
import { NAMED_MAX, type Actor } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import type { BaselineVersion } from './baseline.ts';

/**
 * Records versions that were added at once: all of them restored, or none.
 * @param undo they are restored because an approval was undone
 */
export async function recordPromotion(
  trx: Db,
  actor: Actor,
  suiteId: string,
  versions: readonly BaselineVersion[],
  { undo }: { undo: boolean },
): Promise<void> {
  const [first] = versions;
  if (first === undefined) return;
  const named = versions.slice(0, NAMED_MAX);
  const common = { versions: versions.length, note: first.note };
  if (first.restoredVersion !== null) {
    const pages = named.map(({ path, viewport, version, restoredVersion }) => ({
      path,
      viewport,
      version,
      restored: restoredVersion ?? 0,
    }));
    return recordEvent(trx, actor, {
      kind: 'baseline.restored',
      suiteId,
      details: { ...common, pages, undo },
    });
  }
  const pages = named.map(({ path, viewport, version }) => ({
    path,
    viewport,
    version,
  }));
  const { source, prNumber: pullRequest, testRunId: runId } = first;
  const details = { ...common, source, pages, pullRequest };
  await recordEvent(trx, actor, {
    kind: 'baseline.promoted',
    suiteId,
    runId,
    details,
  });
}
