import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { largeRun, siteOf } from './runs-fixture.ts';

let api: TestApi;
let owner: Account;
let runId: string;

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  runId = await largeRun(api, await siteOf(api, owner.user, ['/']), 500);
});
afterAll(() => api.stop());

const HTMX = { 'hx-request': 'true' };

async function look(address: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await api.request('GET', address, { token: owner.token, headers });
  expect(status).toBe(200);
  return body;
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');

/** Follows every `More` link of the list and of its collapsed sections until there are none. */
async function walk(first: string): Promise<string[]> {
  const paths: string[] = [];
  const left = [first];
  for (let body = left.pop(); body !== undefined; body = left.pop()) {
    paths.push(...[...body.matchAll(/<article[^>]*>[\s\S]*?(\/p\d+)\b/g)].map(([, path = '']) => path));
    for (const [, part = ''] of body.matchAll(/hx-get="([^"]*\/results\?[^"]*)"/g)) {
      left.push(await look(unescaped(part), HTMX));
    }
  }
  return paths;
}

it('shows a run of 1,000 results in parts, each page once', async () => {
  const first = await look(`/runs/${runId}?view=pages`);
  expect(first.match(/<article/g)).toHaveLength(30);
  const paths = await walk(first);
  expect(new Set(paths).size).toBe(500);
  expect(paths).toHaveLength(500);
});
