import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { findEvent } from '../events/event-store.ts';
import type { RecordedEvent } from '../events/event.ts';
import { tellPeople } from './tell-people.ts';
import { tellTargets } from './tell-targets.ts';

/** Stores whom to tell of an event, and queues the jobs that do. It may be called twice: a second time adds nothing. */
type Teller = (trx: Db, event: RecordedEvent, config: Config) => Promise<void>;

const TELLERS: readonly Teller[] = [tellTargets, tellPeople];

/** Job: finds out who wants to hear of an event. All of them are stored at once, or the job runs again. */
export async function tellEvent(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { eventId }: { eventId: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const event = await findEvent(trx, eventId);
    if (event === null) return;
    for (const tell of TELLERS) await tell(trx, event, config);
  });
}
