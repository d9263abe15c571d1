import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registerInvited } from '../../src/suites/invitations/accept-invitation.ts';
import { sendInvitation } from '../../src/suites/invitations/invite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import type { OwnSuite } from '../support/world.ts';
import { peopleOf, sharedSuite, type People } from '../web/suites-fixture.ts';

const FAST_BCRYPT = 4;
const DAY_MS = 86_400_000;

let api: TestApi;
let people: People;
let suite: OwnSuite;
const closing = { allowRegistration: true };
const mails: { to: string; subject: string; text: string }[] = [];
const mailer = { configured: true, send: async (mail: (typeof mails)[number]) => void mails.push(mail) };
beforeAll(async () => {
  api = await startTestApi({}, (ctx) => ({ ...ctx, mailer, config: Object.assign(closing, ctx.config) }));
  people = await peopleOf(api);
});
beforeEach(async () => {
  closing.allowRegistration = true;
  mails.length = 0;
  suite = await sharedSuite(api, people);
});
afterAll(async () => api.stop());

let strangers = 0;
const newAddress = () => {
  strangers += 1;
  return `newcomer-${strangers}@example.org`;
};

const call = (method: string, rest: string, body?: unknown, as: Account = people.owner) =>
  api.request(method, `/api/test-suites/${suite.id}/invitations${rest}`, { token: as.token, body });
const tokenOf = ({ url }: { url: string }) => url.slice(url.lastIndexOf('/') + 1);
const accept = (token: string, as: Account) =>
  api.request('POST', '/api/invitations/accept', { token: as.token, body: { token } });
const join = (token: string, email: string) =>
  registerInvited(api.ctx, token, { email, password: 'a password' }, FAST_BCRYPT);
const roleOf = async ({ token }: { token: string }) => {
  const { status, body } = await api.request('GET', `/api/test-suites/${suite.id}`, { token });
  return status === 200 ? body.access.role : status;
};

async function invited(body: object = {}): Promise<{ id: string; token: string }> {
  const answer = await call('POST', '', body);
  expect(answer.status).toBe(201);
  return { id: answer.body.invitation.id, token: tokenOf(answer.body) };
}

/** The token of the mail that the queued job sends. */
async function mailedToken(id: string): Promise<string> {
  await sendInvitation(api.ctx, { invitationId: id });
  return /\/invitations\/([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

const verify = async ({ user }: Account) =>
  api.ctx.db('users').where({ id: user.id }).update({ email_verified: new Date() });

describe('an invitation', () => {
  it('tells its link once, keeps only a hash, and is listed while it is open', async () => {
    const { status, body } = await call('POST', '', { role: 'REVIEWER' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      invitation: { role: 'REVIEWER', email: null, testSuiteId: suite.id, invitedBy: { id: people.owner.user.id } },
      isMailed: false,
    });
    expect(Date.parse(body.invitation.expiresAt) - Date.parse(body.invitation.createdAt)).toBe(7 * DAY_MS);
    const stored = JSON.stringify(await api.ctx.db('suite_invitations').where({ test_suite_id: suite.id }));
    expect(stored).not.toContain(tokenOf(body));
    const listed = await call('GET', '', undefined, people.admin);
    expect(listed.body).toEqual([body.invitation]);
    expect(JSON.stringify(listed.body)).not.toContain(tokenOf(body));
  });

  it('registers a new account with the role, also where registration is closed, and once', async () => {
    const { token } = await invited({ role: 'EDITOR' });
    closing.allowRegistration = false;
    const body = { email: newAddress(), password: 'a password', name: 'Ada' };
    expect((await api.request('POST', '/api/auth/register', { body })).status).toBe(403);
    const answer = await api.request('POST', '/api/auth/register', { body: { ...body, invitation: token } });
    expect(answer.status).toBe(201);
    expect(await roleOf(answer.body)).toBe('EDITOR');
    const again = { ...body, email: newAddress(), invitation: token };
    expect(await api.request('POST', '/api/auth/register', { body: again })).toMatchObject({
      status: 400,
      body: { details: { code: 'invitation_invalid' } },
    });
    expect((await call('GET', '')).body).toEqual([]);
  });

  it('is not used up by a registration that is refused', async () => {
    const { token } = await invited();
    const { email } = people.stranger.user;
    const refused = { email, password: 'a password', invitation: token };
    expect((await api.request('POST', '/api/auth/register', { body: refused })).status).toBe(409);
    expect((await accept(token, people.stranger)).status).toBe(200);
  });

  it('of two who take it up at the same moment goes to one', async () => {
    const { token } = await invited();
    const settled = await Promise.allSettled([1, 2, 3].map(() => join(token, newAddress())));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('raises a role, never lowers one, and stays open for somebody else then', async () => {
    const { token } = await invited({ role: 'REVIEWER' });
    for (const person of [people.editor, people.reviewer, people.owner]) {
      const before = await roleOf(person);
      expect((await accept(token, person)).body).toEqual({ testSuiteId: suite.id, role: before });
      expect(await roleOf(person)).toBe(before);
    }
    expect((await accept(token, people.viewer)).body.role).toBe('REVIEWER');
    expect(await roleOf(people.viewer)).toBe('REVIEWER');
    expect((await accept(token, people.stranger)).status).toBe(400);
  });

  it('ends when it is withdrawn, and after seven days', async () => {
    const withdrawn = await invited();
    expect((await call('DELETE', `/${withdrawn.id}`)).status).toBe(200);
    expect((await call('DELETE', `/${withdrawn.id}`)).status).toBe(404);
    expect((await accept(withdrawn.token, people.stranger)).status).toBe(400);
    const old = await invited();
    await api.ctx
      .db('suite_invitations')
      .where({ id: old.id })
      .update({ expires_at: new Date(Date.now() - 1) });
    expect((await accept(old.token, people.stranger)).status).toBe(400);
    expect((await call('GET', '')).body).toEqual([]);
    await invited();
    expect(await api.ctx.db('suite_invitations').where({ id: old.id })).toEqual([]);
  });

  it('ends with the right of its maker to share', async () => {
    const { body } = await call('POST', '', { role: 'ADMIN' }, people.admin);
    const grants = await api.ctx.db('test_suite_grants').where({ test_suite_id: suite.id });
    const own = grants.find(({ principalId }) => principalId === people.admin.user.id);
    await api.request('PATCH', `/api/test-suites/${suite.id}/access/${own?.id}`, {
      token: people.owner.token,
      body: { role: 'EDITOR' },
    });
    expect((await accept(tokenOf(body), people.stranger)).status).toBe(400);
    expect((await call('GET', '')).body).toEqual([]);
  });

  it('ends when the account of its maker is disabled, so that nobody leaves a way in', async () => {
    const { body } = await call('POST', '', { role: 'ADMIN' }, people.admin);
    const disable = async (at: Date | null) =>
      api.ctx.db('users').where({ id: people.admin.user.id }).update({ disabled_at: at });
    await disable(new Date());
    closing.allowRegistration = false;
    await expect(join(tokenOf(body), newAddress())).rejects.toMatchObject({ details: { code: 'invitation_invalid' } });
    expect((await call('GET', '')).body).toEqual([]);
    await disable(null);
  });

  it.each([
    [{ email: 'not an address' }, 400, 'validation_failed'],
    [{ role: 'OWNER' }, 400, 'validation_failed'],
  ])('%j is refused', async (body, status, code) => {
    expect(await call('POST', '', body)).toMatchObject({ status, body: { details: { code } } });
  });

  it('is refused beyond a hundred', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      test_suite_id: suite.id,
      role: 'VIEWER',
      invited_by: people.owner.user.id,
      token_hash: `${suite.id} ${index}`,
      expires_at: new Date(Date.now() + DAY_MS),
    }));
    await api.ctx.db('suite_invitations').insert(rows);
    expect(await call('POST', '')).toMatchObject({ status: 409, body: { details: { code: 'too_many_invitations' } } });
    expect((await call('GET', '')).body).toHaveLength(100);
  });
});

describe('an invitation of an address', () => {
  it('is mailed, and both its links work, each for a new account with the address only', async () => {
    const email = newAddress();
    const { body } = await call('POST', '', { email, role: 'REVIEWER' });
    expect(body).toMatchObject({ invitation: { email }, isMailed: true });
    const mailed = await mailedToken(body.invitation.id);
    expect(mails).toMatchObject([{ to: email, subject: 'Invitation to Docs on Pixelgate' }]);
    expect(mails[0]?.text).toContain('Reviewer');
    await expect(join(mailed, newAddress())).rejects.toMatchObject({ details: { code: 'validation_failed' } });
    const account = await join(mailed, email.toUpperCase());
    expect(await roleOf(account)).toBe('REVIEWER');
    // Whoever has the mail has the address.
    const [row] = await api.ctx.db('users').where({ id: account.user.id });
    expect(row.emailVerified).toBeInstanceOf(Date);
    expect((await accept(tokenOf(body), account)).status).toBe(400);
  });

  it('is mailed again with another link when the job is delivered again, and both work', async () => {
    const email = newAddress();
    const { id } = await invited({ email });
    const first = await mailedToken(id);
    const second = await mailedToken(id);
    expect(first).not.toBe(second);
    expect(await roleOf(await join(first, email))).toBe('VIEWER');
  });

  it('does not verify the address of who came by the link that was shown', async () => {
    const email = newAddress();
    const { token } = await invited({ email });
    const { user } = await join(token, email);
    expect(await api.ctx.db('users').where({ id: user.id }).first('email_verified')).toEqual({ emailVerified: null });
  });

  it('is for no other account, and for none that has not verified the address, unless it came by mail', async () => {
    const account = await api.account('late');
    const { email } = account.user;
    const other = { email: newAddress() };
    const { id, token } = await invited(other);
    await api.ctx.db('suite_invitations').where({ id }).update({ email });
    const code = 'invitation_of_other';
    expect(await accept(token, people.stranger)).toMatchObject({ status: 403, body: { details: { code } } });
    expect(await accept(token, account)).toMatchObject({ status: 403, body: { details: { code } } });
    expect((await accept(await mailedToken(id), account)).body.role).toBe('VIEWER');
    const again = await invited(other);
    await api.ctx.db('suite_invitations').where({ id: again.id }).update({ email: people.stranger.user.email });
    await verify(people.stranger);
    expect((await accept(again.token, people.stranger)).status).toBe(200);
  });

  it('takes the place of the one before', async () => {
    const email = newAddress();
    const first = await invited({ email });
    const mailed = await mailedToken(first.id);
    const second = await invited({ email: email.toUpperCase(), role: 'EDITOR' });
    expect((await call('GET', '')).body).toMatchObject([{ id: second.id, role: 'EDITOR' }]);
    for (const token of [first.token, mailed]) await expect(join(token, email)).rejects.toThrow('was withdrawn');
    expect(await roleOf(await join(second.token, email))).toBe('EDITOR');
  });

  it('that has an account is refused: the suite is shared with it', async () => {
    const answer = await call('POST', '', { email: people.stranger.user.email });
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'account_exists' } } });
  });

  it('is mailed no longer when it has ended', async () => {
    const { id } = await invited({ email: newAddress() });
    await call('DELETE', `/${id}`);
    await sendInvitation(api.ctx, { invitationId: id });
    expect(mails).toEqual([]);
  });
});

it('guesses of a token are counted', async () => {
  const guess = async () => (await accept('guess', people.stranger)).status;
  const answers = new Set<number>();
  for (let times = 0; times < 101; times += 1) answers.add(await guess());
  expect([...answers]).toEqual([400, 429]);
});
