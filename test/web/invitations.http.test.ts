import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import type { OwnSuite } from '../support/world.ts';
import { peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let people: People;
let suite: OwnSuite;
const closing = { allowRegistration: true };
beforeAll(async () => {
  api = await startTestApi({}, (ctx) => ({ ...ctx, config: Object.assign(closing, ctx.config) }));
  people = await peopleOf(api);
  closing.allowRegistration = false;
});
beforeEach(async () => {
  suite = await sharedSuite(api, people);
});
afterAll(async () => api.stop());

let newcomers = 0;
const newAddress = () => {
  newcomers += 1;
  return `newcomer-${newcomers}@example.org`;
};

const open = (path: string, as?: Account) => api.request('GET', path, { token: as?.token });
const post = (path: string, fields: Record<string, string>, as?: Account) =>
  postForm(api, path, fields, { token: as?.token });

/** The path of the link that the answer shows. */
const linkOn = (body: string) => /https?:\/\/[^<\s]*(\/invitations\/[\w-]+)/.exec(body)?.[1] ?? 'no link';

async function invite(fields: Record<string, string>): Promise<string> {
  const form = 'email' in fields ? 'sharing' : 'invitations';
  const { status, body } = await post(`/suites/${suite.id}/${form}`, fields, people.admin);
  expect(status).toBe(200);
  return linkOn(body);
}

describe('the sharing page', () => {
  it('invites whom it can share with no account, shows the link once, and lists the invitation until it is withdrawn', async () => {
    const email = newAddress();
    const answer = await post(`/suites/${suite.id}/sharing`, { email, role: 'REVIEWER' }, people.admin);
    expect(answer.body).toContain('No mail server is set up');
    expect(linkOn(answer.body)).toMatch(/^\/invitations\/.{43}$/);
    const { body } = await open(`/suites/${suite.id}/sharing`, people.owner);
    expect(body).toContain(email);
    expect(body).not.toContain(linkOn(answer.body));
    const [, withdraw = ''] = /action="(\/suites\/[^"]*\/withdraw)"/.exec(body) ?? [];
    expect((await open(`/suites/${suite.id}/sharing`, people.editor)).body).not.toContain(email);
    expect((await post(withdraw, {}, people.editor)).status).toBe(403);
    expect(ledTo(await post(withdraw, {}, people.admin))).toEqual([303, `/suites/${suite.id}/sharing`]);
    expect((await open(`/suites/${suite.id}/sharing`, people.owner)).body).not.toContain(email);
    expect((await open(linkOn(answer.body))).status).toBe(400);
  });

  it('says what is wrong with an address at its field', async () => {
    const answer = await post(`/suites/${suite.id}/sharing`, { email: 'nobody', role: 'VIEWER' }, people.owner);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('Must be an email address');
  });
});

describe('the link of an invitation', () => {
  it('offers an account to who is not signed in, where registration is closed, and joins the suite with it', async () => {
    const link = await invite({ role: 'EDITOR' });
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.body).toContain('Docs');
    expect(page.body).toContain('Editor');
    expect(page.body).toContain(`href="/sign-in?next&#x3D;${encodeURIComponent(link)}"`);
    const refused = await post(`${link}/register`, { name: 'Ada', email: 'no address', password: 'a password' });
    expect([refused.status, String(refused.body).includes('Must be an email address')]).toEqual([400, true]);
    const joined = await post(`${link}/register`, { name: 'Ada', email: newAddress(), password: 'a password' });
    expect(ledTo(joined)).toEqual([303, `/suites/${suite.id}`]);
    expect(joined.headers.getSetCookie().some((cookie) => cookie.startsWith('pixelgate_session='))).toBe(true);
    const lapsed = await open(link);
    expect([lapsed.status, String(lapsed.body).includes('no longer valid')]).toEqual([400, true]);
    const late = await post(`${link}/register`, { name: '', email: newAddress(), password: 'a password' });
    expect([late.status, String(late.body).includes('no longer valid')]).toEqual([400, true]);
  });

  it('takes no other address than the one that it names', async () => {
    const email = newAddress();
    const link = await invite({ email, role: 'VIEWER' });
    expect((await open(link)).body).toMatch(new RegExp(`value="${email}"[^>]* readonly`));
    const other = await post(`${link}/register`, { name: '', email: newAddress(), password: 'a password' });
    expect([other.status, String(other.body).includes(`Must be ${email}`)]).toEqual([400, true]);
    expect((await open(link, people.stranger)).body).toContain(`for <strong class="break">${email}</strong>`);
    expect((await post(link, {}, people.stranger)).status).toBe(403);
  });

  it('asks who is signed in, and changes nothing by itself', async () => {
    const link = await invite({ role: 'VIEWER' });
    expect((await open(link, people.stranger)).body).toContain('Accept invitation');
    expect((await open(`/suites/${suite.id}`, people.stranger)).status).toBe(404);
    expect((await open(link, people.editor)).body).toContain('You already have the Editor role');
    expect(ledTo(await post(link, {}))).toEqual([303, '/sign-in']);
    expect(ledTo(await post(link, {}, people.stranger))).toEqual([303, `/suites/${suite.id}`]);
    expect((await open(`/suites/${suite.id}`, people.stranger)).status).toBe(200);
  });

  it('is not there for anybody under a token that is none', async () => {
    expect((await open('/invitations/nothing')).status).toBe(400);
  });
});
