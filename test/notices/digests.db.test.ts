import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { upsertUserGrant } from '../../src/access/grant-store.ts';
import { leaveSuite } from '../../src/access/grants.ts';
import type { SuiteRole } from '../../src/access/role.ts';
import { toActor, type Viewer } from '../../src/auth/user.ts';
import type { Actor, EventKind } from '../../src/events/event.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { createMailer } from '../../src/mailer.ts';
import type { Choice } from '../../src/notices/choice.ts';
import { changeChoice, changeSuiteChoice } from '../../src/notices/choices.ts';
import { sendDigest } from '../../src/notices/send-digest.ts';
import { tellEvent } from '../../src/notices/tell-event.ts';
import { addComment, deleteComment } from '../../src/review/comments/comments.ts';
import { assignRun } from '../../src/runs/assignees/assign-run.ts';
import { getRunFor } from '../../src/runs/read-run.ts';
import { setReviewState } from '../../src/runs/run-store.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { followSuite, handOverAll } from '../../src/suites/suite-life.ts';
import { clearJobs, jobsIn, log } from '../queue/fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { memoryLog } from '../support/memory-log.ts';
import { finishedRun, newSuite, newViewer, worldOn, type OwnSuite } from '../support/world.ts';
import { CLOCK_ACTOR } from './events.ts';

const HOUR = 3_600_000;

let member: Viewer;
let suite: OwnSuite;
let runId: string;
const time = { now: new Date() };

const database = await createTestDatabase();
const server = await startMailServer();
const { ctx, db } = worldOn(database.db);
const config = { ...ctx.config, smtpUrl: server.url, publicUrl: 'https://gate.example' };
const mailer = createMailer({ smtpUrl: server.url, mailFrom: 'Pixelgate <gate@example.com>', log });
const world = { ctx: { ...ctx, config, mailer, clock: { now: () => time.now } }, db };
const owner = await newViewer(world);
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  time.now = new Date(Date.now() + 10 * HOUR);
  await database.db('digests').delete();
  await database.db('digest_events').delete();
  suite = await newSuite(world, owner, ['/']);
  member = await newMember('REVIEWER');
  runId = (await finishedRun(world, owner, suite, () => 'a')).run.id;
  await setReviewState(database.db, runId, 'PENDING');
  await database.db('events').delete();
  await clearJobs(database.db);
  server.received.length = 0;
  server.refuse(false);
});

async function newMember(role: SuiteRole, of = suite): Promise<Viewer> {
  const viewer = await newViewer(world);
  await upsertUserGrant(database.db, { suiteId: of.id, userId: viewer.id, role, grantedBy: owner.id });
  return viewer;
}

const DETAILS = { run: 7, type: 'MANUAL', trigger: null, pullRequest: null, title: null, branch: null };

/** Records an event, and runs the job that finds out whom to tell. */
async function happen(
  kind: EventKind,
  details: object = {},
  { actor = CLOCK_ACTOR, of = suite }: { actor?: Actor; of?: OwnSuite } = {},
): Promise<number> {
  const run = of === suite ? runId : null;
  const event = { kind, suiteId: of.id, runId: run, details: { ...DETAILS, ...details } };
  await database.db.transaction(async (trx) => recordEvent(trx, actor, event as never));
  const [{ id }] = await database.db('events').orderBy('id', 'desc').limit(1).select('id');
  await tellEvent(world.ctx, { eventId: id });
  return id;
}

async function tellNewest(): Promise<void> {
  const [{ id }] = await database.db('events').orderBy('id', 'desc').limit(1).select('id');
  await tellEvent(world.ctx, { eventId: id });
}

const fail = async (error = 'broken') => happen('run.failed', { error });
const waitingFor = async ({ id }: Viewer) => (await database.db('digest_events').where({ user_id: id })).length;
const send = async ({ id }: Viewer, ctx = world.ctx) => sendDigest(ctx, { userId: id });
const choose = async (viewer: Viewer, choice: Partial<Choice>) => changeChoice(world.ctx, viewer, choice);
const suiteOf = async (viewer: Viewer, of = suite) => getSuiteFor(world.ctx, viewer, of.id, 'suite.read');
const pass = (milliseconds: number) => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
const mails = ({ email }: Viewer) =>
  server.received.filter(({ to }) => to.includes(email)).map(({ content }) => content);

describe('what a person hears', () => {
  const PASSED = { changed: 0, errors: 0, passed: 1, reviewState: 'NOT_REQUIRED' };
  const EVENTS: [name: string, kind: EventKind, details: object][] = [
    ['a run passed', 'run.completed', PASSED],
    ['a run had errors', 'run.completed', { ...PASSED, errors: 1 }],
    ['a run failed', 'run.failed', { error: 'broken' }],
    ['a review is due', 'review.required', { changed: 1 }],
    ['a comment', 'comment.created', { text: 'Why?' }],
    ['a crawl failed', 'crawl.failed', { error: 'broken' }],
  ];
  const ALWAYS = ['a run passed', 'a run had errors', 'a run failed', 'a review is due', 'a comment', 'a crawl failed'];
  const FAILED = ALWAYS.slice(1);

  async function heardBy(choice: Partial<Choice>): Promise<string[]> {
    await choose(member, choice);
    const heard: string[] = [];
    for (const [name, kind, details] of EVENTS) {
      const before = await waitingFor(member);
      await happen(kind, details);
      if ((await waitingFor(member)) > before) heard.push(name);
    }
    return heard;
  }

  const commented = async () =>
    database.db('comments').insert({ test_run_id: runId, author_id: member.id, body: 'I think so' });

  it.each<[Partial<Choice>, string[], string[]]>([
    [{}, ['a review is due'], ['a review is due', 'a comment']],
    [{ hears: 'ALL' }, FAILED, FAILED],
    [{ hears: 'ALL', tells: 'FAILED' }, FAILED, FAILED],
    [{ hears: 'ALL', tells: 'ALWAYS' }, ALWAYS, ALWAYS],
    [{ hears: 'REVIEWS', tells: 'ALWAYS' }, ['a review is due'], ['a review is due', 'a comment']],
    [{ hears: 'THREADS', tells: 'ALWAYS' }, [], ['a comment']],
    [{ hears: 'NOTHING', tells: 'ALWAYS' }, [], []],
  ])('follows from the choice %j, and from whether they commented', async (choice, before, after) => {
    expect(await heardBy(choice)).toEqual(before);
    await commented();
    expect(await heardBy(choice)).toEqual(after);
  });

  it('of one suite is what they chose for it', async () => {
    await choose(member, { hears: 'NOTHING' });
    await changeSuiteChoice(world.ctx, await suiteOf(member), { hears: 'ALL' });
    await fail();
    expect(await waitingFor(member)).toBe(1);
    await changeSuiteChoice(world.ctx, await suiteOf(member), { hears: null });
    await fail();
    expect(await waitingFor(member)).toBe(1);
  });

  it('is a review only where they may review, and only of those to whom the run is assigned', async () => {
    const viewer = await newMember('VIEWER');
    await happen('review.required', { changed: 1 });
    expect([await waitingFor(owner), await waitingFor(member), await waitingFor(viewer)]).toEqual([1, 1, 0]);
    await database.db('run_assignees').insert({ test_run_id: runId, user_id: owner.id });
    await happen('review.required', { changed: 1 });
    expect([await waitingFor(owner), await waitingFor(member)]).toEqual([2, 1]);
  });

  it.each([
    [
      'may no longer review',
      (id: string) => database.db('test_suite_grants').where({ principal_id: id }).update({ role: 'VIEWER' }),
    ],
    ['was disabled', (id: string) => database.db('users').where({ id }).update({ disabled_at: new Date() })],
  ])('is a review of everybody again if the only one to whom the run is assigned %s', async (_, leave) => {
    const run = await getRunFor(world.ctx, owner, runId, 'suite.approve');
    await assignRun(world.ctx, run, [member.id]);
    await leave(member.id);
    await happen('review.required', { changed: 1 });
    expect([await waitingFor(owner), await waitingFor(member)]).toEqual([1, 0]);
    expect((await getRunFor(world.ctx, owner, runId, 'suite.read')).assignees).toEqual([]);
  });

  it('is a review of everybody again after the suite of the owner it is assigned to was handed over', async () => {
    const former = await newViewer(world);
    const theirs = await newSuite(world, former, ['/']);
    const reviewer = await newMember('REVIEWER', theirs);
    const { run } = await finishedRun(world, former, theirs, () => 'a');
    await setReviewState(database.db, run.id, 'PENDING');
    await assignRun(world.ctx, await getRunFor(world.ctx, former, run.id, 'suite.approve'), [former.id]);
    await database.db('users').where({ id: owner.id }).update({ administrator: 'NAMED' });
    await handOverAll(world.ctx, owner, former.id, reviewer.email);
    const event = { kind: 'review.required', suiteId: theirs.id, runId: run.id, details: { ...DETAILS, changed: 1 } };
    await database.db.transaction(async (trx) => recordEvent(trx, CLOCK_ACTOR, event as never));
    const [{ id }] = await database.db('events').orderBy('id', 'desc').limit(1).select('id');
    await tellEvent(world.ctx, { eventId: id });
    expect([await waitingFor(former), await waitingFor(reviewer)]).toEqual([0, 1]);
    expect((await getRunFor(world.ctx, reviewer, run.id, 'suite.read')).assignees).toEqual([]);
  });

  it('is that they are asked for a review, once, and not that others are', async () => {
    const other = await newMember('REVIEWER');
    const assign = async (...people: Viewer[]) => {
      const run = await getRunFor(world.ctx, owner, runId, 'suite.approve');
      await assignRun(
        world.ctx,
        run,
        people.map(({ id }) => id),
      );
      const events = await database.db('events').where({ kind: 'review.assigned' }).orderBy('id');
      for (const { id } of events) await tellEvent(world.ctx, { eventId: id });
      return events.at(-1)?.details;
    };
    expect(await assign(member)).toMatchObject({ assigned: [{ id: member.id }], removed: [] });
    await assign(member);
    expect(await assign(member, other)).toMatchObject({ assigned: [{ id: other.id }], removed: [] });
    expect(await assign(other)).toMatchObject({ assigned: [], removed: [{ id: member.id }] });
    expect([await waitingFor(member), await waitingFor(other), await waitingFor(owner)]).toEqual([1, 1, 0]);
    expect(await database.db('events').where({ kind: 'review.assigned' })).toHaveLength(3);
  });

  it('is never what they did themselves, nor what their token did', async () => {
    await choose(member, { hears: 'ALL' });
    const actor = toActor(member);
    await happen('comment.created', { text: 'Mine' }, { actor });
    await happen('comment.created', { text: 'Mine' }, { actor: { ...actor, kind: 'token', via: 'CI' } });
    expect(await waitingFor(member)).toBe(0);
  });

  it('is nothing of suites that they do not follow, may not see, or left', async () => {
    const others = await newSuite(world, await newViewer(world), []);
    await database.db('suite_follows').insert({ user_id: member.id, test_suite_id: others.id, hears: 'ALL' });
    await choose(member, { hears: 'ALL' });
    await happen('crawl.failed', { error: 'broken' }, { of: others });
    await followSuite(world.ctx, await suiteOf(member), false);
    await fail();
    await followSuite(world.ctx, await suiteOf(member), true);
    await leaveSuite(world.ctx, await suiteOf(member));
    await fail();
    expect(await waitingFor(member)).toBe(0);
  });

  it('is nothing where no mail server is configured, and nothing for disabled accounts', async () => {
    await choose(member, { hears: 'ALL' });
    const eventId = await fail();
    await database.db('digest_events').delete();
    await tellEvent({ ...world.ctx, config: { ...world.ctx.config, smtpUrl: null } }, { eventId });
    await database.db('users').where({ id: member.id }).update({ disabled_at: new Date() });
    await fail();
    expect(await waitingFor(member)).toBe(0);
  });
});

describe('a digest', () => {
  beforeEach(async () => choose(member, { hears: 'ALL' }));

  it('tells by suite what happened, with links, as text and as HTML', async () => {
    const second = await newSuite(world, owner, []);
    await database.db('test_suites').where({ id: second.id }).update({ name: 'Blog <b>' });
    await upsertUserGrant(database.db, { suiteId: second.id, userId: member.id, role: 'VIEWER', grantedBy: owner.id });
    await fail('no preview');
    await happen('crawl.failed', { error: 'a timeout' }, { of: second });
    await happen('comment.created', { text: 'Look:\n<script>' }, { actor: toActor(owner) });
    await send(member);
    const [content = ''] = mails(member);
    const link = `https://gate.example/runs/${runId}`;
    expect(content).toContain('Subject: Site: Pixelgate could not complete run 7: no preview, and 2 more');
    const text = [
      'Site',
      '- Pixelgate could not complete run 7: no preview',
      `  ${link}`,
      `- ${owner.name} commented on run 7: “Look: <script>”`,
      `  ${link}`,
      '',
      'Blog <b>',
      '- Pixelgate could not crawl the site: a timeout',
      `  https://gate.example/suites/${second.id}`,
    ];
    expect(content).toContain(text.join('\r\n'));
    expect(content).toContain(
      `<li><a href="${link}">${owner.name} commented on run 7: “Look: &lt;script&gt;”</a></li>`,
    );
    expect(content).toContain('<h2>Blog &lt;b&gt;</h2>');
  });

  it('names so many events and counts the rest', async () => {
    for (let event = 1; event <= 52; event += 1) await fail(`fault ${event}.`);
    await send(member);
    const [content = ''] = mails(member);
    expect(content).toContain('fault 50.');
    expect(content).not.toContain('fault 51.');
    expect(content).toMatch(/^and 2 more\r$/m);
    expect(await waitingFor(member)).toBe(0);
  });

  it('has the headers with which one click unsubscribes', async () => {
    await fail();
    await send(member);
    const content = mails(member)[0]?.replaceAll('\r\n ', ' ');
    expect(content).toMatch(/^List-Unsubscribe:\s+<https:\/\/gate\.example\/unsubscribe\/v1\.[\w-]+>\r$/m);
    expect(content).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(content).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('comes at most once an hour, and what happens in between is in the next one', async () => {
    await fail('one');
    await send(member);
    await fail('two');
    await send(member);
    pass(HOUR - 1000);
    await fail('three');
    await send(member);
    expect(mails(member)).toHaveLength(1);
    pass(1000);
    await send(member);
    expect(mails(member)).toHaveLength(2);
    expect(mails(member)[1]).toMatch(/two[^]*three/);
    await send(member);
    expect(mails(member)).toHaveLength(2);
  });

  it('is queued once, and an event that comes later does not put it off', async () => {
    await fail();
    const runAt = async () =>
      (await database.db.raw('select run_at from graphile_worker.jobs where key = ?', [`digest/${member.id}`])).rows;
    const [before] = await runAt();
    await database.db('events').update({ at: database.db.raw("at + interval '5 minutes'") });
    await fail();
    expect(await runAt()).toEqual([before]);
  });

  it('leaves out what the person may no longer see, and is not sent if nothing is left', async () => {
    await fail();
    await leaveSuite(world.ctx, await suiteOf(member));
    await send(member);
    expect([mails(member), await waitingFor(member)]).toEqual([[], 0]);
  });

  it('is not sent to an account that was disabled since', async () => {
    await fail();
    await database.db('users').where({ id: member.id }).update({ disabled_at: new Date() });
    await send(member);
    expect([mails(member), await waitingFor(member)]).toEqual([[], 0]);
  });

  it('leaves out what the person no longer wants to hear', async () => {
    await fail();
    await choose(member, { hears: 'THREADS' });
    await send(member);
    expect(mails(member)).toEqual([]);
  });

  it('leaves out a comment that its author has deleted since', async () => {
    const run = await getRunFor(world.ctx, owner, runId, 'suite.read');
    const id = await addComment(world.ctx, run, { resultId: null, box: null, body: 'the password is hunter2' });
    await tellNewest();
    expect(await waitingFor(member)).toBe(1);
    await deleteComment(world.ctx, run, id);
    await fail();
    await send(member);
    expect(mails(member)).toHaveLength(1);
    expect(mails(member)[0]).not.toContain('hunter2');
  });

  it('asks nobody for a review of a run that no longer waits for it', async () => {
    await choose(member, { hears: 'REVIEWS' });
    await happen('review.required', { changed: 1 });
    expect(await waitingFor(member)).toBe(1);
    await setReviewState(database.db, runId, 'APPROVED');
    await send(member);
    expect(mails(member)).toEqual([]);
  });

  it('asks nobody to whom the run is no longer assigned', async () => {
    const run = await getRunFor(world.ctx, owner, runId, 'suite.approve');
    await choose(member, { hears: 'REVIEWS' });
    await assignRun(world.ctx, run, [member.id]);
    await tellNewest();
    expect(await waitingFor(member)).toBe(1);
    await assignRun(world.ctx, run, []);
    await send(member);
    expect(mails(member)).toEqual([]);
  });

  it('has what comes after a thousand events that the person may no longer see', async () => {
    const others = await newSuite(world, owner, []);
    await upsertUserGrant(database.db, { suiteId: others.id, userId: member.id, role: 'VIEWER', grantedBy: owner.id });
    const first = await happen('crawl.failed', { error: 'hidden' }, { of: others });
    await database.db.raw(
      `with more as (
         insert into events (kind, at, actor_kind, suite_id, details)
         select kind, at, actor_kind, suite_id, details from events cross join generate_series(1, 999) where id = ?
         returning id
       ) insert into digest_events (user_id, event_id) select ?, id from more`,
      [first, member.id],
    );
    await fail('seen');
    await leaveSuite(world.ctx, await suiteOf(member, others));
    await clearJobs(database.db);
    await send(member);
    for (const { name } of await jobsIn(database.db)) if (name === 'send-digest') await send(member);
    expect(mails(member)).toEqual([expect.stringContaining('seen')]);
    expect(await waitingFor(member)).toBe(0);
  });

  it('is sent again when the worker died before it stored that', async () => {
    await fail('kept');
    const dying = new Proxy(database.db, {
      get: (target, name) =>
        name === 'transaction' ? async () => Promise.reject(new Error('killed')) : Reflect.get(target, name),
    });
    await expect(send(member, { ...world.ctx, db: dying })).rejects.toThrow('killed');
    await send(member);
    const ids = mails(member).map((content) => /^Message-ID:\s+(<[^>]+>)/im.exec(content)?.[1]);
    expect(ids).toEqual([expect.stringMatching(/^<digest\.\S+@\S+>$/), ids[0]]);
    expect(await waitingFor(member)).toBe(0);
  });

  it('that the mail server refuses is tried again, later each time, and is given up visibly', async () => {
    const { logger, lines } = memoryLog();
    const ctx = { ...world.ctx, log: logger };
    await fail('one');
    server.refuse(true);
    await send(member, ctx);
    await send(member, ctx);
    expect(lines()).toEqual([{ level: 'warn', text: 'a digest was not sent: ' }]);
    expect((await jobsIn(database.db)).filter(({ name }) => name === 'send-digest')).toHaveLength(1);
    pass(6000);
    await send(member, ctx);
    server.refuse(false);
    pass(61_000);
    await send(member, ctx);
    expect(mails(member)).toHaveLength(1);

    pass(HOUR);
    server.refuse(true);
    await fail('two');
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await send(member, ctx);
      pass(24 * HOUR);
    }
    expect(lines().filter(({ level }) => level === 'error')).toEqual([{ level: 'error', text: 'gave up a digest: ' }]);
    expect(await waitingFor(member)).toBe(0);
  });
});
