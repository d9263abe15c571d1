import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendResetLink } from '../../src/auth/passwords/change-password.ts';
import { removeLapsedWindows } from '../../src/http/rate-limit-store.ts';
import { PASSWORD, startTestApi, type Answer, type TestApi } from '../support/api-client.ts';

/** Stands still, so that no delay passes by itself. */
let now = new Date();
const clock = { now: () => now };
const advance = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUSTED_PROXIES: '192.0.2.0/24, 2001:db8::7' }, (ctx) => ({ ...ctx, clock }));
});
afterAll(async () => {
  await api.stop();
});

const HOUR_MS = 3_600_000;

async function statuses(times: number, send: (attempt: number) => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let attempt = 0; attempt < times; attempt += 1) seen.push((await send(attempt)).status);
  return seen;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

/** What the browser keeps of a sign-in, as it sends it again. */
function knownBrowser({ headers }: Answer): string {
  const set = headers.getSetCookie().find((line) => line.startsWith('pixelgate_browser=')) ?? '';
  expect(set).toMatch(/; HttpOnly;.*SameSite=Lax/);
  return set.split(';')[0] ?? '';
}

describe('login', () => {
  const logIn = (email: string, password: string, address: string) =>
    api.request('POST', '/api/auth/login', { body: { email, password }, headers: from(address) });

  const wrong = (email: string, times: number, address: (attempt: number) => string) =>
    statuses(times, (attempt) => logIn(email, 'wrong password', address(attempt)));

  it('is closed to an address after 10 wrong passwords for an account, and stays open to others', async () => {
    const { user } = await api.account('ada');
    expect(await wrong(user.email, 10, () => '203.0.113.1')).toEqual(Array.from({ length: 10 }, () => 401));
    const closed = await logIn(` ${user.email.toUpperCase()}`, PASSWORD, '203.0.113.1');
    expect(closed).toMatchObject({ status: 429, body: { details: { code: 'rate_limited' } } });
    expect((await logIn(user.email, PASSWORD, '203.0.113.99')).status).toBe(200);
    advance(Number(closed.headers.get('retry-after')) * 1000);
    expect((await logIn(user.email, PASSWORD, '203.0.113.1')).status).toBe(200);
  });

  it('makes each further guess from an address wait longer, up to 15 minutes', async () => {
    const { user } = await api.account('abe');
    await wrong(user.email, 10, () => '203.0.113.2');
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const wait = Number((await logIn(user.email, 'wrong password', '203.0.113.2')).headers.get('retry-after'));
      waits.push(wait);
      advance(wait * 1000);
      expect((await logIn(user.email, 'wrong password', '203.0.113.2')).status).toBe(401);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
  });

  it('lets no more than a few of many guesses at once through', async () => {
    const { user } = await api.account('amy');
    const seen = await Promise.all(
      Array.from({ length: 40 }, async () => (await logIn(user.email, 'wrong password', '203.0.113.3')).status),
    );
    expect(seen.filter((status) => status === 401)).toHaveLength(10);
  });

  it('makes guesses from many addresses wait, and the owner at a new one no longer than a minute', async () => {
    const { user } = await api.account('eve');
    const fromMany = (attempt: number) => `198.18.${Math.floor(attempt / 250)}.${attempt % 250}`;
    const first = await wrong(user.email, 120, fromMany);
    expect(first.filter((status) => status === 401)).toHaveLength(30);
    const owner = '203.0.113.4';
    const held = await logIn(user.email, PASSWORD, owner);
    const wait = Number(held.headers.get('retry-after'));
    expect([held.status, wait <= 60]).toEqual([429, true]);
    advance(wait * 1000);
    const second = await wrong(user.email, 120, fromMany);
    expect(second.filter((status) => status === 401)).toHaveLength(90);
    expect((await logIn(user.email, PASSWORD, owner)).status).toBe(200);
    expect(new Set(await wrong(user.email, 120, fromMany))).toEqual(new Set([429]));
  });

  it('does not hold up a browser in which the account has signed in', async () => {
    const [{ user }, other] = [await api.account('fay'), await api.account('gus')];
    const known = knownBrowser(await logIn(user.email, PASSWORD, '203.0.113.5'));
    await wrong(user.email, 60, (attempt) => `198.19.0.${attempt}`);
    await wrong(user.email, 11, () => '203.0.113.5');
    const logInAt = async (email: string, password: string) =>
      api.request('POST', '/api/auth/login', {
        body: { email, password },
        headers: { ...from('203.0.113.5'), cookie: known },
      });
    expect((await logInAt(user.email, PASSWORD)).status).toBe(200);
    // It is known to that account only, and may not guess for long either.
    await wrong(other.user.email, 11, () => '203.0.113.5');
    expect((await logInAt(other.user.email, PASSWORD)).status).toBe(429);
    const guesses = await statuses(11, () => logInAt(user.email, 'wrong password'));
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it('knows no browser by a forged cookie', async () => {
    const { user, token } = await api.account('hal');
    await wrong(user.email, 10, () => '203.0.113.6');
    for (const cookie of [`pixelgate_browser=${token}`, 'pixelgate_browser=x']) {
      const headers = { ...from('203.0.113.6'), cookie };
      const answer = await api.request('POST', '/api/auth/login', {
        body: { email: user.email, password: PASSWORD },
        headers,
      });
      expect(answer.status).toBe(429);
    }
  });

  it('counts the guesses of who is signed in to another account, too', async () => {
    const [{ user }, guesser] = [await api.account('kim'), await api.account('lou')];
    const headers = {
      ...from('203.0.113.7'),
      cookie: `pixelgate_session=${guesser.token}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const raw = new URLSearchParams({ email: user.email, password: 'wrong password' }).toString();
    const seen = await statuses(11, () => api.request('POST', '/sign-in', { headers, raw }));
    expect(seen).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it('counts failures only: who knows the password is not held up', async () => {
    const { user } = await api.account('bob');
    const right = await statuses(15, () => logIn(user.email, PASSWORD, '198.51.100.1'));
    expect(new Set(right)).toEqual(new Set([200]));
    const incomplete = await statuses(15, () =>
      api.request('POST', '/api/auth/login', { body: { email: user.email } }),
    );
    expect(new Set(incomplete)).toEqual(new Set([400]));
    expect((await logIn(user.email, PASSWORD, '198.51.100.1')).status).toBe(200);
  });
});

describe('forgot-password', () => {
  const ask = (email: string) => api.request('POST', '/api/auth/forgot-password', { body: { email } });

  it('is limited the same for an address with and without an account', async () => {
    const { user } = await api.account('cleo');
    for (const email of [user.email, 'nobody@example.com']) {
      expect(await statuses(6, () => ask(email))).toEqual([200, 200, 200, 200, 200, 429]);
    }
    advance(HOUR_MS);
    expect((await ask(user.email)).status).toBe(200);
  });
});

describe('mails with reset links', () => {
  it('are five an hour to an account, so that nobody fills a mailbox, and asking again is not refused', async () => {
    const { user } = await api.account('ian');
    const mails: string[] = [];
    const mailer = { configured: true, send: async ({ to }: { to: string }) => void mails.push(to) };
    const ask = (address: string) =>
      api.request('POST', '/api/auth/forgot-password', { body: { email: user.email }, headers: from(address) });
    for (let attempt = 0; attempt < 7; attempt += 1) {
      expect((await ask(`198.18.1.${attempt}`)).status).toBe(200);
      await sendResetLink({ ...api.ctx, mailer }, { email: user.email });
    }
    expect(mails).toHaveLength(5);
  });
});

describe('the address of a client', () => {
  let email: string;
  beforeAll(async () => {
    ({ email } = (await api.account('jo')).user);
  });
  const guess = (forwarded: string) =>
    api.request('POST', '/api/auth/login', {
      body: { email, password: 'wrong password' },
      headers: from(forwarded),
    });

  it('is not what a neighbor in a private network says', async () => {
    const seen = await statuses(11, (attempt) => guess(`198.51.100.${attempt}, 10.0.0.7`));
    expect(seen.at(-1)).toBe(429);
  });

  it('is what a proxy says that is trusted by name, through several of them', async () => {
    const seen = await statuses(11, (attempt) => guess(`198.51.100.${attempt}, 2001:db8::7, 192.0.2.8`));
    expect(new Set(seen)).toEqual(new Set([401]));
  });
});

describe('a proxy that says nonsense of the address', () => {
  it('is counted itself', async () => {
    const headers = from(`${'x'.repeat(4000)}, ${'y'.repeat(4000)}`);
    const body = { email: 'nobody@example.com', password: 'whatever it is' };
    expect((await api.request('POST', '/api/auth/login', { body, headers })).status).toBe(401);
  });
});

describe('the counts', () => {
  it('go away when their time is over', async () => {
    await api.request('POST', '/api/auth/forgot-password', { body: { email: 'dora@example.com' } });
    advance(24 * HOUR_MS);
    await removeLapsedWindows(api.ctx.db, now);
    expect(await api.ctx.db('rate_limits').pluck('key')).toEqual([]);
  });

  it('are bounded, however many addresses there are', async () => {
    const counts = Array.from({ length: 20 }, (_, place) => ({
      key: `place-${place}`,
      hits: 1,
      resets_at: new Date(now.getTime() + (place + 1) * HOUR_MS),
    }));
    await api.ctx.db('rate_limits').delete();
    await api.ctx.db('rate_limits').insert(counts);
    await removeLapsedWindows(api.ctx.db, now, 5);
    expect(await api.ctx.db('rate_limits').orderBy('resets_at').pluck('key')).toEqual(
      counts.slice(15).map(({ key }) => key),
    );
  });

  it('hold no e-mail address', async () => {
    await api.request('POST', '/api/auth/forgot-password', { body: { email: 'dora@example.com' } });
    expect(JSON.stringify(await api.ctx.db('rate_limits').pluck('key'))).not.toContain('dora');
  });
});
