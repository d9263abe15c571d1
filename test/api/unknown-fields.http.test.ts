import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => api.stop());

const NOBODY = '00000000-0000-4000-8000-000000000000';

const send = async (method: string, path: string, body: object) =>
  api.request(method, `/api${path}`, { token: owner.token, body });

const refusedNames = ({ status, body }: Answer) => [
  status,
  body.details.issues
    .filter(({ message }: { message: string }) => message === 'is not known here')
    .map(({ path }: { path: string }) => path),
];

describe('a field that is not known', () => {
  it.each([
    ['POST', '/tokens'],
    ['POST', `/test-suites/${NOBODY}/tokens`],
    ['POST', `/test-suites/${NOBODY}/run`],
    ['POST', `/test-runs/${NOBODY}/approve-visuals`],
    ['POST', `/test-runs/${NOBODY}/changes/${'a'.repeat(32)}/approve`],
    ['POST', `/test-runs/${NOBODY}/rerun`],
    ['PUT', `/test-runs/${NOBODY}/assignees`],
    ['POST', '/baselines'],
  ])('is refused by %s %s', async (method, path) => {
    expect(refusedNames(await send(method, path, { misspelled: 1 }))).toEqual([400, ['misspelled']]);
  });

  it('is refused within another one with its path', async () => {
    const suite = { name: 'Site', baseUrl: 'http://site.test', config: { crawlOptions: { robots: false } } };
    expect(refusedNames(await send('POST', '/test-suites', suite))).toEqual([400, ['config.crawlOptions.robots']]);
  });

  it('is one of the first ten that are named', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]));
    const [status, names] = refusedNames(await send('POST', '/tokens', { name: 'CI', ...many }));
    expect([status, names.length]).toEqual([400, 10]);
  });
});
