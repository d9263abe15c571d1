import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newPerson, startConnectedService, type ConnectedService } from '../support/connected-service.ts';
import { signInWithGitHub, type PlainBrowser } from '../support/plain-browser.ts';

const LONG_MS = 60_000;

let service: ConnectedService;
beforeAll(async () => {
  service = await startConnectedService();
}, LONG_MS);
afterAll(() => service.stop(), LONG_MS);

const userOf = async (browser: PlainBrowser) => (await service.apiOf(browser).call('GET', '/auth/me')).user;

async function refusal(answer: Response): Promise<[number, string]> {
  const body: any = await answer.json();
  return [answer.status, body.details.code];
}

describe('signing in with GitHub', () => {
  it('leads there with PKCE, and makes a user who is the same the next time', async () => {
    const person = newPerson();
    const browser = service.newBrowser();
    const start = await browser.get('/api/auth/github');
    const location = new URL(start.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(`${service.github.origin}/login/oauth/authorize`);
    expect(location.searchParams.get('code_challenge_method')).toBe('S256');
    const user = await service.signIn(browser, person);
    expect(user.email).toBe(person.email);
    expect((await service.signIn(service.newBrowser(), person)).id).toBe(user.id);
    const accounts = JSON.stringify(await service.database.db('accounts').select());
    for (const token of service.github.world.tokens.keys()) expect(accounts).not.toContain(token);
  });

  it('is refused to who brings another state, no cookie, or the same answer again', async () => {
    service.github.world.person = newPerson();
    const browser = service.newBrowser();
    const start = await browser.get('/api/auth/github');
    const granted = await browser.get(start.headers.get('location') ?? '');
    const back = granted.headers.get('location') ?? '';
    expect(await refusal(await service.newBrowser().get(back))).toEqual([400, 'github_sign_in_lapsed']);
    const kept = new Map(browser.cookies);
    const foreign = new URL(back);
    foreign.searchParams.set('state', 'another');
    expect(await refusal(await browser.get(foreign.href))).toEqual([400, 'github_sign_in_lapsed']);

    const restored = service.newBrowser();
    for (const [name, value] of kept) restored.cookies.set(name, value);
    expect((await restored.get(back)).status).toBe(302);
    for (const [name, value] of kept) restored.cookies.set(name, value);
    expect(await refusal(await restored.get(back))).toEqual([400, 'github_sign_in_lapsed']);
  });

  it('says so when the person refuses at GitHub, and lets them try again', async () => {
    service.github.world.person = null;
    const browser = service.newBrowser();
    expect(await refusal(await signInWithGitHub(browser))).toEqual([403, 'github_refused']);
    expect(browser.token()).toBe('');
    const person = newPerson();
    expect((await service.signIn(browser, person)).email).toBe(person.email);
  });

  it('reaches an account that is here already by an e-mail address that GitHub has verified, and by no other', async () => {
    const proven = newPerson({ email: 'proven@example.com' });
    const owner = service.newBrowser();
    const ownerId = await owner.enter('/api/auth/register', 'proven@example.com');
    const impostor = newPerson({ email: 'proven@example.com', isEmailVerified: false });
    service.github.world.person = impostor;
    expect(await refusal(await signInWithGitHub(service.newBrowser()))).toEqual([409, 'email_taken']);
    expect((await service.signIn(service.newBrowser(), proven)).id).toBe(ownerId);

    const quiet = await service.signIn(service.newBrowser(), newPerson({ isEmailVerified: null }));
    expect(quiet.email).toContain('users.noreply.github');
  });

  it('links the GitHub account of who is signed in, unless it is linked to another user', async () => {
    const person = newPerson();
    const browser = service.newBrowser();
    const id = await browser.enter('/api/auth/register', 'signed-in@example.com');
    expect((await service.signIn(browser, person)).id).toBe(id);
    expect((await service.signIn(service.newBrowser(), person)).id).toBe(id);
    const other = service.newBrowser();
    const otherId = await other.enter('/api/auth/register', 'other@example.com');
    expect(await refusal(await signInWithGitHub(other))).toEqual([409, 'account_taken']);
    expect((await userOf(other)).id).toBe(otherId);
  });
});

describe('a token of GitHub that ends', () => {
  beforeEach(() => {
    service.github.world.userTokenSeconds = 1;
  });
  afterEach(() => {
    service.github.world.userTokenSeconds = null;
  });
  const renewals = () => service.github.asked.filter(({ operation }) => operation === 'oauth/access-token').length;

  it('is renewed, as often as it must be, and once for two who need it at the same moment', async () => {
    const browser = service.newBrowser();
    await service.signIn(browser, newPerson());
    const before = renewals();
    const api = service.apiOf(browser);
    const names = (repos: { fullName: string }[]) => repos.map(({ fullName }) => fullName);
    expect(names(await api.call('GET', '/code-host/repos'))).toEqual(['Codertocat/Hello-World']);
    service.github.world.userTokenSeconds = 28_800;
    const both = await Promise.all([api.call('GET', '/code-host/repos'), api.call('GET', '/code-host/repos')]);
    expect(both.map(names)).toEqual([['Codertocat/Hello-World'], ['Codertocat/Hello-World']]);
    const renewed = renewals();
    expect(renewed - before).toBeGreaterThanOrEqual(2);
    await api.call('GET', '/code-host/repos');
    expect(renewals()).toBe(renewed);
  });

  it('asks to sign in with GitHub again where GitHub does not renew it, which mends it', async () => {
    const browser = service.newBrowser();
    const person = newPerson();
    await service.signIn(browser, person);
    service.github.world.refreshTokens.clear();
    expect(await refusal(await browser.get('/api/code-host/repos'))).toEqual([403, 'github_sign_in_lapsed']);
    expect(await refusal(await browser.get('/api/code-host/installations'))).toEqual([403, 'github_sign_in_lapsed']);
    service.github.world.userTokenSeconds = null;
    await service.signIn(browser, person);
    expect((await browser.get('/api/code-host/repos')).status).toBe(200);
  });
});

it('asked GitHub for nothing in a way that GitHub does not document', () => {
  expect(service.github.mistakes).toEqual([]);
});
