import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { recordEvent } from '../../src/events/record-event.ts';
import { createNetwork } from '../../src/net/create-network.ts';
import { createTarget, rotateSecret, sendAgain, sendTest, updateTarget } from '../../src/notices/change-target.ts';
import { giveUpWaiting } from '../../src/notices/delivery-store.ts';
import { getTarget, listDeliveries, targetsOfSuite, type OwnTarget } from '../../src/notices/read-targets.ts';
import { sendDeliveries } from '../../src/notices/send-deliveries.ts';
import { lockTarget } from '../../src/notices/target-store.ts';
import { TARGET_SECRETS } from '../../src/notices/target.ts';
import { tellEvent } from '../../src/notices/tell-event.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { clearJobs, jobsIn, log } from '../queue/fixture.ts';
import { createTestDatabase, someoneWaits } from '../support/database.ts';
import { newSuite, newViewer, worldOn, type World } from '../support/world.ts';
import { CLOCK_ACTOR } from './events.ts';
import { startReceiver, type Receiver } from './receiver.ts';

let receiver: Receiver;
const time = { now: new Date() };

const database = await createTestDatabase();
const network = createNetwork({ allowPrivateTargets: true, log });
const made = worldOn(database.db);
const world = { ...made, ctx: { ...made.ctx, network, clock: { now: () => time.now } } };
const viewer = await newViewer(world);
const suite = await newSuite(world, viewer, []);
afterAll(async () => {
  await network.close();
  await database.drop();
});
beforeEach(async () => {
  // Later than what the database stored.
  time.now = new Date(Date.now() + 120_000);
  await clearJobs(database.db);
  await database.db('targets').delete();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
});

async function newTarget(input: object = {}): Promise<{ target: OwnTarget; secret: string }> {
  const own = targetsOfSuite(await getSuiteFor(world.ctx, viewer, suite.id, 'suite.targets'));
  const { target, secret } = await createTarget(world.ctx, own, {
    kind: 'WEBHOOK',
    name: 'Ours',
    url: receiver.url,
    ...input,
  });
  return { target: await getTarget(world.ctx, viewer, target.id), secret: secret ?? '' };
}

/** Records an approval, and runs the job that finds out whom to tell. */
async function happen(note: string): Promise<number> {
  await database.db.transaction(async (trx) =>
    recordEvent(trx, CLOCK_ACTOR, {
      kind: 'review.approved',
      suiteId: suite.id,
      details: { results: 1, versions: 1, settings: false, note },
    } as never),
  );
  const jobs = (await jobsIn(database.db)).filter(({ name }) => name === 'tell-event');
  const eventId = Math.max(...jobs.map(({ payload }) => (payload as { eventId: number }).eventId));
  await tellEvent(world.ctx, { eventId });
  return eventId;
}

const send = async ({ id }: { id: string }) => sendDeliveries(world.ctx, { targetId: id }, { isClosing: () => false });
const pass = (milliseconds: number) => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
const notes = () => receiver.received.map(({ body }) => JSON.parse(body).data.details.note);
const DAY = 86_400_000;

describe('a webhook', () => {
  it('gets an event that the reference library verifies, and gets it once', async () => {
    const { target, secret } = await newTarget();
    const eventId = await happen('first');
    await tellEvent(world.ctx, { eventId });
    await send(target);
    await send(target);
    expect(receiver.received).toHaveLength(1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(headers).toMatchObject({ 'webhook-id': `event_${eventId}`, 'content-type': 'application/json' });
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'review.approved',
      data: { suite: { id: suite.id, url: `http://localhost:3000/suites/${suite.id}` }, details: { note: 'first' } },
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature found');
    expect(await listDeliveries(world.ctx, target)).toMatchObject([{ state: 'SENT', status: 200, request: body }]);
  });

  it('gets no event that it does not listen to, and none of another suite', async () => {
    const { target } = await newTarget({ listens: ['run.failed'] });
    await happen('unheard');
    expect(await listDeliveries(world.ctx, target)).toEqual([]);
  });

  it('has the signatures of both secrets for a day after a change', async () => {
    const { target, secret } = await newTarget();
    const { secret: next } = await rotateSecret(world.ctx, target);
    await happen('both');
    await send(target);
    pass(DAY + 1000);
    await happen('one');
    await send(target);
    const [both, one] = receiver.received;
    expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const each of [secret, next]) {
      expect(() => new Webhook(each ?? '').verify(both?.body ?? '', both?.headers ?? {})).not.toThrow();
    }
    expect(one?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('gets what failed again, before what came later', async () => {
    const { target } = await newTarget();
    receiver.answer({ status: 500, body: 'x'.repeat(5_000_000) });
    await happen('one');
    await happen('two');
    await send(target);
    await send(target);
    expect(notes()).toEqual(['one']);
    const [, first] = await listDeliveries(world.ctx, target);
    expect(first).toMatchObject({ state: 'WAITING', attempts: 1, status: 500, error: 'It answered 500' });
    expect(first?.answer).toHaveLength(2000);
    receiver.answer({ status: 204 });
    pass(6000);
    await send(target);
    expect(notes()).toEqual(['one', 'one', 'two']);
  });

  it('is left alone for as long as it asks', async () => {
    const { target } = await newTarget();
    receiver.answer({ status: 429, headers: { 'retry-after': '600' } });
    await happen('one');
    await send(target);
    pass(599_000);
    await send(target);
    expect(receiver.received).toHaveLength(1);
    pass(2000);
    await send(target);
    expect(receiver.received).toHaveLength(2);
  });

  it('that hangs up, redirects or is gone is not told', async () => {
    const { target } = await newTarget();
    receiver.answer('hang up');
    await happen('one');
    await send(target);
    pass(6000);
    receiver.answer({ status: 302, headers: { location: receiver.url } });
    await send(target);
    expect((await listDeliveries(world.ctx, target))[0]).toMatchObject({
      attempts: 2,
      error: 'It redirects (302), and redirects are not followed',
    });
    pass(61_000);
    receiver.answer({ status: 410 });
    await send(target);
    expect(receiver.received).toHaveLength(3);
    expect(await getTarget(world.ctx, viewer, target.id)).toMatchObject({ stoppedBecause: 'It answered 410' });
    await happen('two');
    expect(await listDeliveries(world.ctx, target)).toMatchObject([{ state: 'GIVEN_UP' }]);
  });

  it.each([410, 503])(
    'goes to the new address at once if the old one answers %i while it is changed',
    async (status) => {
      const { target } = await newTarget();
      const moved = await startReceiver();
      await happen('one');
      const changing = {
        ...network,
        fetch: async (...asked: Parameters<typeof network.fetch>) => {
          receiver.answer({ status });
          const answer = await network.fetch(...asked);
          if (receiver.received.length === 1) await updateTarget(world.ctx, target, { url: moved.url });
          return answer;
        },
      };
      await sendDeliveries({ ...world.ctx, network: changing }, { targetId: target.id }, { isClosing: () => false });
      await moved.stop();
      expect([receiver.received.length, moved.received.length]).toEqual([1, 1]);
      expect((await getTarget(world.ctx, viewer, target.id)).stoppedBecause).toBeNull();
    },
  );

  it('that fails for days is given up visibly, and a test that arrives puts it back in use', async () => {
    const { target } = await newTarget();
    receiver.answer({ status: 503 });
    await happen('one');
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await send(target);
      pass(DAY);
    }
    expect(receiver.received).toHaveLength(11);
    expect((await getTarget(world.ctx, viewer, target.id)).stoppedBecause).toBe('It answered 503');
    receiver.answer({ status: 200 });
    await sendTest(world.ctx, target);
    await send(target);
    expect((await getTarget(world.ctx, viewer, target.id)).stoppedBecause).toBeNull();
    const [, lost] = await listDeliveries(world.ctx, target);
    await sendAgain(world.ctx, target, lost?.id ?? 0);
    await send(target);
    expect(notes()).toHaveLength(13);
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  });

  it('that is switched off hears of nothing, also after a test that arrives, until it is switched on', async () => {
    const { target } = await newTarget();
    await happen('before');
    await updateTarget(world.ctx, target, { isActive: false });
    await happen('meanwhile');
    await sendTest(world.ctx, target);
    await send(target);
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['test']);
    expect((await getTarget(world.ctx, viewer, target.id)).stoppedBecause).toBe('It was switched off');
    await updateTarget(world.ctx, target, { isActive: true });
    await happen('after');
    await send(target);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '').data.details.note).toBe('after');
  });

  it('that is switched off while it is told waits for nobody who waits for it', async () => {
    const { target } = await newTarget();
    await happen('meanwhile');
    const sending = await database.db.transaction(async (trx) => {
      await lockTarget(trx, target.id);
      const sent = send(target);
      await someoneWaits(database.db);
      await giveUpWaiting(trx, target.id, 'It was switched off');
      return [sent];
    });
    await Promise.all(sending);
    expect(await listDeliveries(world.ctx, target)).toMatchObject([{ state: 'GIVEN_UP' }]);
  });

  it('is told again when the worker died before it stored the answer', async () => {
    const { target } = await newTarget();
    await happen('one');
    const dying = { ...world.ctx, db: failingTransactions() };
    await expect(sendDeliveries(dying, { targetId: target.id }, { isClosing: () => false })).rejects.toThrow('killed');
    await send(target);
    expect(notes()).toEqual(['one', 'one']);
    expect(await listDeliveries(world.ctx, target)).toMatchObject([{ state: 'SENT', attempts: 1 }]);
  });

  it('keeps the last hundred deliveries', async () => {
    const { target } = await newTarget();
    for (let event = 0; event < 21; event += 1) await happen(String(event));
    await database.db.raw(
      "insert into target_deliveries (target_id, message_id, message, state) select ?, 'old_' || n, '{}', 'GIVEN_UP' from generate_series(1, 150) as n",
      [target.id],
    );
    await send(target);
    await send(target);
    expect(await database.db('target_deliveries').where({ target_id: target.id })).toHaveLength(100);
    expect(notes()).toEqual(Array.from({ length: 21 }, (_, event) => String(event)));
  });

  it('has no readable address or secret in the database, and both survive a new JWT_SECRET', async () => {
    const { target, secret } = await newTarget();
    const [row] = await database.db('targets').where({ id: target.id }).select();
    expect(JSON.stringify(row)).not.toContain('secret-in-the-address');
    expect(JSON.stringify(row)).not.toContain(secret);
    const { jwtSecret } = world.ctx.config;
    const config = {
      ...world.ctx.config,
      jwtSecret: 'another secret of thirty-two bytes',
      previousJwtSecret: jwtSecret,
    };
    const ctx = { ...world.ctx, config };
    expect(await TARGET_SECRETS.reseal(ctx)).toBe(1);
    const alone = { ...ctx, config: { ...config, previousJwtSecret: null } };
    await happen('one');
    await sendDeliveries(alone, { targetId: target.id }, { isClosing: () => false });
    expect(receiver.received).toHaveLength(1);
    pass(0);
    await happen('two');
    await send(target);
    expect((await listDeliveries(world.ctx, target))[0]?.error).toContain('JWT_SECRET');
    await updateTarget(world.ctx, target, { url: receiver.url });
    await send(target);
    expect(notes()).toEqual(['one', 'two']);
  });
});

/** A database whose connection breaks when something is written. */
function failingTransactions(): World['ctx']['db'] {
  return new Proxy(database.db, {
    get: (target, name) =>
      name === 'transaction' ? async () => Promise.reject(new Error('killed')) : Reflect.get(target, name),
  });
}

describe('a private address', () => {
  it('is refused when it is set, and when it is connected to', async () => {
    const guarded = createNetwork({ allowPrivateTargets: false, log });
    const ctx = { ...world.ctx, network: guarded };
    const own = targetsOfSuite(await getSuiteFor(ctx, viewer, suite.id, 'suite.targets'));
    const input = { kind: 'WEBHOOK' as const, name: 'Inside', url: receiver.url };
    await expect(createTarget(ctx, own, input)).rejects.toMatchObject({ details: { code: 'target_not_allowed' } });
    const { target } = await newTarget();
    await happen('one');
    await sendDeliveries(ctx, { targetId: target.id }, { isClosing: () => false });
    expect(receiver.received).toEqual([]);
    expect((await listDeliveries(world.ctx, target))[0]?.error).toBeTruthy();
    await guarded.close();
  });
});
