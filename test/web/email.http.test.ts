import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CLOCK } from '../../src/events/event.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { sendDigest } from '../../src/notices/send-digest.ts';
import { tellEvent } from '../../src/notices/tell-event.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { newSuite, type OwnSuite } from '../support/world.ts';

let server: MailServer;
let api: TestApi;
let person: Account;
let suite: OwnSuite;
beforeAll(async () => {
  server = await startMailServer();
  api = await startTestApi({ SMTP_URL: server.url, PUBLIC_URL: 'https://gate.example' });
});
afterAll(async () => {
  await api.stop();
  await server.stop();
});
beforeEach(async () => {
  person = await api.account();
  suite = await newSuite({ ctx: api.ctx, db: api.ctx.db } as never, person.user, []);
  server.received.length = 0;
});

const call = async (method: string, path: string, body?: object, { token } = person): Promise<Answer> =>
  api.request(method, `/api${path}`, { token, body });
const open = async (path: string) => api.request('GET', path, { token: person.token });
const post = async (path: string, fields: Record<string, string>) =>
  postForm(api, path, fields, { token: person.token });
const choices = async () => {
  const [all, one] = [await call('GET', '/email-choices'), await call('GET', `/test-suites/${suite.id}/follow`)];
  return { all: all.body, one: one.body };
};

/** Something fails, and the person is mailed what waits. Answers how many mails came. */
async function fail(): Promise<number> {
  const before = server.received.length;
  const details = { error: 'broken' };
  await api.ctx.db.transaction(async (trx) =>
    recordEvent(trx, CLOCK, { kind: 'crawl.failed', suiteId: suite.id, details }),
  );
  const [{ id }] = await api.ctx.db('events').orderBy('id', 'desc').limit(1).select('id');
  await tellEvent(api.ctx, { eventId: id });
  api.advance(3_600_000);
  await sendDigest(api.ctx, { userId: person.user.id });
  return server.received.length - before;
}

/** The path of the link in the header of the last mail. */
const unsubscribePath = () =>
  /^List-Unsubscribe:\s+<https:\/\/gate\.example(\/unsubscribe\/[^>]+)>/m.exec(
    server.received.at(-1)?.content ?? '',
  )?.[1] ?? 'no link';

describe('the page about email', () => {
  it('changes what is heard of all suites, and of one', async () => {
    expect((await open('/account')).body).toContain('Email about suites you follow: What waits for my review.');
    const { body } = await open('/account/email');
    expect(body).toContain('<option value="REVIEWS" selected>');
    expect(body).toContain(`Default: What waits for my review`);
    expect(ledTo(await post('/account/email', { hears: 'ALL', tells: 'ALWAYS' }))).toEqual([303, '/account/email']);
    const form = { hears: 'THREADS', tells: '', back: '/account/email?page=1' };
    expect(ledTo(await post(`/suites/${suite.id}/email`, form))).toEqual([303, '/account/email?page=1']);
    expect(await choices()).toEqual({
      all: { isConfigured: true, hears: 'ALL', tells: 'ALWAYS' },
      one: { following: true, hears: 'THREADS', tells: null },
    });
    expect(await fail()).toBe(0);
    await post(`/suites/${suite.id}/email`, { hears: '', tells: '' });
    expect(await fail()).toBe(1);
    expect((await post('/account/email', { hears: 'SOME', tells: 'ALWAYS' })).status).toBe(400);
  });

  it('names no suite that the person does not follow or may not see', async () => {
    const stranger = await api.account();
    const other = await newSuite({ ctx: api.ctx, db: api.ctx.db } as never, stranger.user, []);
    await api.ctx.db('test_suites').where({ id: other.id }).update({ name: 'Hidden' });
    await api.ctx.db('suite_follows').insert({ user_id: person.user.id, test_suite_id: other.id });
    expect((await open('/account/email')).body).not.toContain('Hidden');
    expect((await post(`/suites/${other.id}/email`, { hears: 'ALL', tells: '' })).status).toBe(404);
    await call('DELETE', `/test-suites/${suite.id}/follow`);
    expect((await open('/account/email')).body).toContain('You don’t follow any suites');
  });

  it('says where no mail server is configured', async () => {
    const without = await startTestApi();
    const { token } = await without.account();
    for (const path of ['/account', '/account/email']) {
      expect((await without.request('GET', path, { token })).body).toContain('No mail server is configured');
    }
    expect((await without.request('GET', '/api/email-choices', { token })).body).toMatchObject({ isConfigured: false });
    await without.stop();
  });
});

describe('the API', () => {
  it('reads and changes the choices', async () => {
    expect(await choices()).toEqual({
      all: { isConfigured: true, hears: 'REVIEWS', tells: 'FAILED' },
      one: { following: true, hears: null, tells: null },
    });
    await call('PATCH', '/email-choices', { hears: 'ALL' });
    await call('PUT', `/test-suites/${suite.id}/follow`, { hears: 'NOTHING', tells: 'ALWAYS' });
    await call('PUT', `/test-suites/${suite.id}/follow`, { tells: null });
    expect(await choices()).toEqual({
      all: { isConfigured: true, hears: 'ALL', tells: 'FAILED' },
      one: { following: true, hears: 'NOTHING', tells: null },
    });
    await call('DELETE', `/test-suites/${suite.id}/follow`);
    expect((await choices()).one).toEqual({ following: false, hears: null, tells: null });
  });

  it('refuses nobody’s choices, and choices that there are not', async () => {
    expect((await api.request('GET', '/api/email-choices')).status).toBe(401);
    expect((await call('PATCH', '/email-choices', { hears: 'SOME' })).status).toBe(400);
    const stranger = await api.account();
    const path = `/test-suites/${suite.id}/follow`;
    expect((await call('PUT', path, { hears: 'ALL' }, stranger)).status).toBe(404);
    expect((await call('PUT', path, { hears: 'SOME' })).status).toBe(400);
  });
});

describe('unsubscribing', () => {
  beforeEach(async () => {
    await call('PATCH', '/email-choices', { hears: 'ALL' });
    await call('PUT', `/test-suites/${suite.id}/follow`, { hears: 'ALL' });
    await fail();
  });

  const MULTIPART = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data; boundary=x', MULTIPART],
  ])('takes one click of a mail program, as %s', async (type, raw) => {
    const answer = await api.request('POST', unsubscribePath(), { raw, headers: { 'content-type': type } });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(answer.body).toContain('You are unsubscribed');
    expect(await choices()).toMatchObject({ all: { hears: 'NOTHING' }, one: { hears: null } });
    expect(await fail()).toBe(0);
    expect((await api.request('POST', unsubscribePath(), { raw, headers: { 'content-type': type } })).status).toBe(200);
  });

  it('changes nothing when the link is only opened, and shows a button that needs no account', async () => {
    const { status, body } = await api.request('GET', unsubscribePath());
    expect([status, body.includes('<form method="post">')]).toEqual([200, true]);
    expect(await choices()).toMatchObject({ all: { hears: 'ALL' } });
    expect((await postForm(api, unsubscribePath())).status).toBe(200);
    expect(await choices()).toMatchObject({ all: { hears: 'NOTHING' } });
  });

  it('takes no link that was made up or changed', async () => {
    const other = unsubscribePath().replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    for (const path of ['/unsubscribe/v1.abc', `/unsubscribe/${person.user.id}`, other]) {
      expect((await api.request('GET', path)).status).toBe(400);
      expect((await postForm(api, path)).status).toBe(400);
    }
    expect(await choices()).toMatchObject({ all: { hears: 'ALL' } });
  });
});
