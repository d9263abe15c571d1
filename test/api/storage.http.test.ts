import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

let api: TestApi;
let first: Account;
let other: Account;
beforeAll(async () => {
  api = await startTestApi({ KEEP_RUNS_DAYS: '30' });
  first = await api.account('first');
  other = await api.account('other');
});
afterAll(async () => api.stop());

const read = async (address: string, { token }: Account) => api.request('GET', address, { token });
const NOTHING = { runs: 0, results: 0, bytes: 0 };

it('of all suites is shown to administrators only', async () => {
  const answer = await read('/api/storage?keepRuns=5', first);
  expect(answer).toMatchObject({
    status: 200,
    body: { limits: { keepDays: 0, keepRuns: 5 }, frees: NOTHING, suites: [] },
  });
  expect(await read('/api/storage', other)).toMatchObject({ status: 403 });
  expect(await read('/storage', other)).toMatchObject({ status: 403 });
  expect((await read('/storage', first)).body).toContain('kept for 30 days, unless');
});

it('of a suite goes by its own limits, and by those of the installation where it has none', async () => {
  const made = await api.request('POST', '/api/test-suites', {
    token: first.token,
    body: { name: 'Site', baseUrl: 'http://site.test' },
  });
  const { id } = made.body;
  const path = `/api/test-suites/${id}/storage`;
  expect(await read(path, first)).toMatchObject({
    status: 200,
    body: { countedAt: null, limits: { keepDays: 30, keepRuns: 0 }, frees: NOTHING },
  });
  await api.request('PATCH', `/api/test-suites/${id}`, { token: first.token, body: { config: { keepDays: 7 } } });
  expect((await read(path, first)).body).toMatchObject({ limits: { keepDays: 7 } });
  expect((await read(`${path}?keepRuns=10&keepDays=3`, first)).body).toMatchObject({
    limits: { keepDays: 3, keepRuns: 10 },
  });
  expect(await read(`${path}?keepDays=-1`, first)).toMatchObject({ status: 400 });
  const page = await read(`/suites/${id}/storage?keepDays=3&keepRuns=`, first);
  expect(page.body).toContain('removes 0 runs with 0 results and frees 0 bytes');
});
