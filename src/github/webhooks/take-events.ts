import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { hasCode } from '../../errors.ts';
import { recordDefaultBranch } from '../../pull-requests/follow-repository.ts';
import { keepRepositoryId } from '../../suites/suite-store.ts';
import { readFullName } from '../../suites/suite.ts';
import { countFailure, lockWaiting, setHandled, type WaitingEvent } from './delivery-store.ts';
import { EVENT_TABLE } from './event-table.ts';
import { parseStoredPayload, type StoredPayload } from './read-delivery.ts';

type TakeContext = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** How many events are handled in one transaction. */
const MOST_AT_ONCE = 100;
/**
 * An event that fails this often is skipped, so that later ones are handled. The waits in between add up to a minute.
 */
const MOST_FAILURES = 5;

/** A statement that a busy database canceled says nothing about its event, unless that goes on for a day. */
const CANCELED = '57014';
const LONGEST_BUSY_MS = 86_400_000;

/** Errors such as a deadlock, or a foreign key to a suite that was just deleted. */
const PASSING = ['40P01', '23503'];
const MOST_TRIES = 4;

async function inTransactionAgain<T>(db: Db, work: (trx: Db) => Promise<T>, tries = MOST_TRIES): Promise<T> {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    if (tries === 1 || !PASSING.some((code) => hasCode(error, code))) throw error;
    return inTransactionAgain(db, work, tries - 1);
  }
}

type Stored = WaitingEvent & { said: StoredPayload };

async function followDefaultBranches(trx: Db, events: Stored[]): Promise<void> {
  let last = '';
  for (const { repository, said, receivedAt } of events) {
    const { defaultBranch, toldAt } = said;
    if (repository === null || defaultBranch === null || last === `${repository} ${defaultBranch}`) continue;
    last = `${repository} ${defaultBranch}`;
    const told = { defaultBranch, toldAt: toldAt === null ? receivedAt : new Date(toldAt) };
    await recordDefaultBranch(trx, readFullName(repository), told);
  }
}

async function followRepositoryIds(trx: Db, events: Stored[]): Promise<void> {
  let last = 0;
  for (const { repository, installationId, said } of events) {
    const { repositoryId: id } = said;
    if (repository === null || installationId === null || id === null || id === last) continue;
    last = id;
    await keepRepositoryId(trx, readFullName(repository), { installationId, id });
  }
}

/** Events of one kind that follow one another are handled together. */
async function handle(trx: Db, ctx: TakeContext, events: Stored[]): Promise<void> {
  await followDefaultBranches(trx, events);
  await followRepositoryIds(trx, events);
  const left = [...events];
  for (let [first] = left; first !== undefined; [first] = left) {
    const { event } = first;
    const end = left.findIndex((other) => other.event !== event);
    const alike = left.splice(0, end === -1 ? left.length : end);
    await EVENT_TABLE.get(event)?.handle(
      trx,
      ctx,
      alike.map(({ said }) => said.event),
    );
  }
}

/** @returns how many were handled. Null: one of several failed, so they must be handled one by one. */
async function takeSome(ctx: TakeContext, subject: string, most: number): Promise<number | null> {
  let taken: WaitingEvent[] = [];
  try {
    return await inTransactionAgain(ctx.db, async (trx) => {
      taken = await lockWaiting(trx, subject, most);
      const stored = taken.flatMap((event) =>
        event.payload === null ? [] : [{ ...event, said: parseStoredPayload(event.payload) }],
      );
      await handle(trx, ctx, stored);
      await setHandled(
        trx,
        taken.map(({ id }) => id),
        ctx.clock.now(),
      );
      return taken.length;
    });
  } catch (error) {
    const [first] = taken;
    if (first === undefined || isUnavailable(error)) throw error;
    if (taken.length > 1) return null;
    const age = ctx.clock.now().getTime() - first.receivedAt.getTime();
    if (hasCode(error, CANCELED) && age < LONGEST_BUSY_MS) throw error;
    if ((await countFailure(ctx.db, first.id)) < MOST_FAILURES) throw error;
    ctx.log.error({ err: error, delivery: first.id, event: first.event }, 'gave up an event that fails each time');
    await setHandled(ctx.db, [first.id], ctx.clock.now());
    return 1;
  }
}

/**
 * Job: handles the stored events of a subject in the order in which they came, however many there are. The effect of an
 * event commits together with its mark as handled, so it takes effect once.
 */
export async function takeEvents(ctx: TakeContext, { subject }: { subject: string }): Promise<void> {
  let most = MOST_AT_ONCE;
  for (;;) {
    const handled = await takeSome(ctx, subject, most);
    if (handled === 0) return;
    if (handled === null) most = 1;
    else ctx.log.info({ subject, events: handled }, 'handled stored events');
  }
}
