import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeLapsedWindows } from '../../src/http/rate-limit-store.ts';
import { PASSWORD, startTestApi } from '../support/api-client.ts';
import type { TestApi } from '../support/api-client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
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

describe('login', () => {
  const logIn = (email: string, password: string, address: string) =>
    api.request('POST', '/api/auth/login', { body: { email, password }, headers: from(address) });

  it('is closed to an account after 10 wrong passwords, whatever address and case they come in', async () => {
    const { user } = await api.account('ada');
    const wrong = await statuses(10, (attempt) => logIn(user.email, 'wrong password', `203.0.113.${attempt}`));
    expect(wrong).toEqual(Array.from({ length: 10 }, () => 401));
    const closed = await logIn(` ${user.email.toUpperCase()}`, PASSWORD, '203.0.113.99');
    expect(closed).toMatchObject({ status: 429, body: { details: { code: 'rate_limited' } } });
    const wait = Number(closed.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    api.advance(wait * 1000);
    expect((await logIn(user.email, PASSWORD, '203.0.113.99')).status).toBe(200);
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
    api.advance(HOUR_MS);
    expect((await ask(user.email)).status).toBe(200);
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
    api.advance(HOUR_MS);
    await removeLapsedWindows(api.ctx.db, api.ctx.clock.now());
    expect(await api.ctx.db('rate_limits').pluck('key')).toEqual([]);
  });

  it('hold no e-mail address', async () => {
    await api.request('POST', '/api/auth/forgot-password', { body: { email: 'dora@example.com' } });
    expect(JSON.stringify(await api.ctx.db('rate_limits').pluck('key'))).not.toContain('dora');
  });
});
