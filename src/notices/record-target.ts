import { isDeepStrictEqual } from 'node:util';
import { toActor, type Viewer } from '../auth/user.ts';
import type { Db } from '../db/database.ts';
import type { ChangedSetting } from '../events/administration-event.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Target } from './target.ts';

const name = ({ id, name: called, kind, host }: Target) => ({ id, name: called, kind, host });

/** Records that a target was created, deleted or got another secret, in the transaction that did it. */
export async function recordTarget(
  trx: Db,
  viewer: Viewer,
  kind: 'target.created' | 'target.deleted' | 'target.secret_changed',
  target: Target,
): Promise<void> {
  await recordEvent(trx, toActor(viewer), { kind, suiteId: target.testSuiteId, details: { target: name(target) } });
}

/** What the record shows of a target. For sealed values it only says that they were set. */
const toSettings = ({ name: called, host, channel, listens, tells, stoppedBecause }: Target) => ({
  name: called,
  host,
  channel,
  listens,
  tells,
  isActive: stoppedBecause === null,
});

/**
 * Records which settings of a target changed, if any, in the transaction that stored them.
 * @param secrets which of what is sealed was set; its values are not recorded
 */
export async function recordTargetChange(
  trx: Db,
  viewer: Viewer,
  { before, after, secrets }: { before: Target; after: Target; secrets: readonly string[] },
): Promise<void> {
  const [from, to] = [new Map(Object.entries(toSettings(before))), Object.entries(toSettings(after))];
  const changes: ChangedSetting[] = to.flatMap(([setting, value]) =>
    isDeepStrictEqual(from.get(setting), value) ? [] : [{ setting, from: from.get(setting), to: value }],
  );
  for (const setting of secrets) changes.push({ setting, from: null, to: null });
  if (changes.length === 0) return;
  const details = { target: name(after), changes };
  await recordEvent(trx, toActor(viewer), { kind: 'target.changed', suiteId: after.testSuiteId, details });
}
