import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { RecordedEvent } from '../events/event.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import { isHeard } from './choice.ts';
import { findListenersTo, insertWaiting } from './digest-store.ts';

/** People are told together of what happens together. */
const GATHERED_MS = 60_000;

/** People who chose to hear of the event by email. Without a mail server, nobody. */
export async function tellPeople(trx: Db, event: RecordedEvent, config: Pick<Config, 'smtpUrl'>): Promise<void> {
  if (config.smtpUrl === null) return;
  const listeners = await findListenersTo(trx, event.id);
  const userIds = listeners.filter(({ choice, ...part }) => isHeard(choice, event, part)).map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await insertWaiting(trx, event.id, userIds);
  const runAt = new Date(event.at.getTime() + GATHERED_MS);
  for (const userId of userIds) await enqueue(trx, 'send-digest', { userId }, postponedTo(runAt));
}
