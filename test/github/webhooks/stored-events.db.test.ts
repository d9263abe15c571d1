import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDeliveryWriter, storeDelivery } from '../../../src/github/webhooks/store-delivery.ts';
import { takeEvents } from '../../../src/github/webhooks/take-events.ts';
import { giveUpWith } from '../../../src/jobs.ts';
import { giveUpDeadJobs } from '../../../src/queue/maintain-queue.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { createTestDatabase } from '../../support/database.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { handleDeliveries } from '../../support/take-deliveries.ts';
import { newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { deploymentEvent, pullRequestEvent, sha } from './pull-request-payloads.ts';

stubHttp();

let world: World;
let suite: SuiteForViewer;
let number = 7000;

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  number += 1;
  await database.db('webhook_deliveries').delete();
  await database.db.raw('delete from graphile_worker._private_jobs');
  world = fixture.connectedWorld(database.db);
  suite = await fixture.linkedSuite(world, await newViewer(world), ['/']);
});
afterEach(() => fixture.unlink(world, suite));

const head = (push: number) => sha(`${number}a${push}`);
const subject = () => `pull/acme/site/${number}`;

const store = (name: string, payload: object) =>
  storeDelivery(world.ctx, openDeliveryWriter(world.db), { id: randomUUID(), name, payload });
const opened = () => store('pull_request', pullRequestEvent('opened', { number, head: head(0), at: 0 }));
const pushed = (push: number, said: { before?: string | undefined } = { before: head(push - 1) }) =>
  store('pull_request', { ...pullRequestEvent('synchronize', { number, head: head(push), at: push }), ...said });

const runs = () => world.db('test_runs').where({ git_pr_number: number }).orderBy('created_at').pluck('git_head_sha');
const jobs = () =>
  world.db('graphile_worker.jobs').where({ task_identifier: 'take-events' }).orderBy('id').pluck('key');
const waiting = () => world.db('webhook_deliveries').whereNull('handled_at').orderBy('sequence').select('failures');

/** Stores what comes, as the receiver does. */
async function receive(deliveries: (() => Promise<void>)[]): Promise<void> {
  for (const deliver of deliveries) await deliver();
}

describe('deliveries in a burst', () => {
  it('leave one job a pull request and one a commit, and one run of the newest head', async () => {
    const pushes = Array.from({ length: 30 }, (_, index) => async () => pushed(index + 1));
    const deployed = Array.from(
      { length: 30 },
      (_, id) => async () =>
        store('deployment_status', deploymentEvent({ head: head(30), url: 'https://p.test/', id })),
    );
    await receive([opened, ...pushes, ...deployed]);
    expect(await jobs()).toEqual([`events/${subject()}`, `events/commit/acme/site/${head(30)}`]);
    await takeEvents(world.ctx, { subject: subject() });
    expect(await runs()).toEqual([head(30)]);
    await takeEvents(world.ctx, { subject: `commit/acme/site/${head(30)}` });
    expect(await waiting()).toEqual([]);
    expect(await world.db('webhook_deliveries').whereNotNull('payload')).toEqual([]);
  });

  it('are handled once when two jobs take them at the same moment', async () => {
    await receive([opened, () => pushed(1)]);
    await Promise.all([1, 2, 3].map(() => takeEvents(world.ctx, { subject: subject() })));
    expect(await runs()).toEqual([head(1)]);
  });

  it('are handled when all attempts of their job have failed', async () => {
    await opened();
    await world.db.raw('update graphile_worker._private_jobs set attempts = max_attempts');
    await giveUpDeadJobs(world.db, giveUpWith(world.ctx), world.ctx.log);
    expect(await world.db('graphile_worker.jobs').select('key', 'attempts')).toEqual([
      { key: `events/${subject()}`, attempts: 0 },
    ]);
    await handleDeliveries(world.ctx);
    expect(await runs()).toEqual([head(0)]);
  });

  it('keep their order: a push that came before the one it follows is past', async () => {
    await receive([opened, () => pushed(2), () => pushed(1)]);
    await handleDeliveries(world.ctx);
    expect(await runs()).toEqual([head(2)]);
  });

  it('follow a push that does not say what it replaced', async () => {
    await opened();
    await handleDeliveries(world.ctx);
    await pushed(1, { before: undefined });
    await handleDeliveries(world.ctx);
    expect(await runs()).toEqual([head(0), head(1)]);
  });
});

it('a pull request that was merged before its first event was handled has its run all the same', async () => {
  const merged = pullRequestEvent('closed', { number, head: head(1), at: 5, merged: true });
  await receive([opened, () => pushed(1), async () => store('pull_request', merged), opened]);
  await handleDeliveries(world.ctx);
  const found = await world.db('test_runs').where({ git_pr_number: number }).select('git_head_sha', 'git_merged');
  expect(found).toEqual([{ gitHeadSha: head(1), gitMerged: true }]);
});

describe('a stored delivery', () => {
  it('is stored together with its job, or not at all', async () => {
    await world.db.raw(`create function refuse_jobs() returns trigger language plpgsql as $$
      begin raise exception 'no job can be queued'; end $$`);
    await world.db.raw(`create trigger refuse_jobs before insert on graphile_worker._private_jobs
      for each row execute function refuse_jobs()`);
    await expect(opened()).rejects.toThrow('no job can be queued');
    await world.db.raw('drop function refuse_jobs cascade');
    expect(await waiting()).toEqual([]);
    await opened();
    expect(await jobs()).toEqual([`events/${subject()}`]);
  });

  it('that nothing handles needs no job, and nothing of it is kept', async () => {
    await receive([() => store('push', { ref: 'refs/heads/main', repository: { full_name: 'Acme/Site' } })]);
    expect(await jobs()).toEqual([]);
    const [row] = await world.db('webhook_deliveries').select('repository', 'subject', 'payload');
    expect(row).toEqual({ repository: 'acme/site', subject: null, payload: null });
  });

  it('that fails each time is given up, and those after it are handled', async () => {
    await opened();
    // No number of a pull request is as large: the database refuses it.
    const broken = pullRequestEvent('opened', { number: 2 ** 40, head: head(0), at: 0 });
    await store('pull_request', broken);
    await world.db('webhook_deliveries').update({ subject: subject() });
    await pushed(1);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await expect(takeEvents(world.ctx, { subject: subject() })).rejects.toThrow('out of range');
      expect(await waiting()).toEqual([{ failures: attempt }, { failures: 0 }]);
    }
    await takeEvents(world.ctx, { subject: subject() });
    expect(await waiting()).toEqual([]);
    expect(await runs()).toEqual([head(0), head(1)]);
  });

  it('that a slow database cancels is kept, until a day has passed', async () => {
    await opened();
    await world.db.raw(`create function cancel() returns trigger language plpgsql as $$
      begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`);
    await world.db.raw('create trigger cancel before insert on pull_requests execute function cancel()');
    const slow = 'statement timeout';
    const later = { now: () => new Date(Date.now() + 25 * 3_600_000) };
    for (let attempt = 1; attempt < 7; attempt += 1)
      await expect(takeEvents(world.ctx, { subject: subject() })).rejects.toThrow(slow);
    expect(await waiting()).toEqual([{ failures: 0 }]);
    for (let attempt = 1; attempt < 5; attempt += 1)
      await expect(takeEvents({ ...world.ctx, clock: later }, { subject: subject() })).rejects.toThrow(slow);
    await takeEvents({ ...world.ctx, clock: later }, { subject: subject() });
    await world.db.raw('drop function cancel cascade');
    expect(await waiting()).toEqual([]);
  });

  it('is refused when what is to be kept of it is too large', async () => {
    const repositories = Array.from({ length: 60_000 }, (_, index) => ({
      full_name: `acme/${'x'.repeat(40)}${index}`,
    }));
    const installation = { id: 1, account: { login: 'acme' }, permissions: {}, events: [] };
    const much = store('installation', { action: 'created', installation, repositories });
    await expect(much).rejects.toMatchObject({ kind: 'payload_too_large' });
  });
});
