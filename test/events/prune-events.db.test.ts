import { afterAll, expect, it } from '@jest/globals';
import { insertEvent } from '../../src/events/event-store.ts';
import { CLOCK } from '../../src/events/event.ts';
import { pruneEvents } from '../../src/events/record-event.ts';
import { createTestDatabase } from '../support/database.ts';
import { worldOn } from '../support/world.ts';

const DAY_MS = 86_400_000;
const database = await createTestDatabase();
afterAll(() => database.drop());

async function recordAt(at: Date): Promise<number> {
  const id = await insertEvent(database.db, CLOCK, { kind: 'crawl.failed', details: { error: 'No answer' } });
  await database.db('events').where({ id }).update({ at });
  return id;
}

it('removes events that are older than EVENTS_DAYS, in several steps, and no others', async () => {
  const { ctx } = worldOn(database.db);
  const before = (days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS);
  const config = { ...ctx.config, eventsDays: 30 };
  await recordAt(before(31));
  await database.db.raw(
    `insert into events (at, kind, actor_kind) select at, kind, actor_kind from events, generate_series(1, 2500)`,
  );
  const kept = [await recordAt(before(29)), await recordAt(before(0))];
  await pruneEvents({ ...ctx, config });
  expect((await database.db('events').orderBy('id').select('id')).map(({ id }) => id)).toEqual(kept);
});
