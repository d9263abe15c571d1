import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { appClient, installationClient, isGone, readStatus } from '../../../src/github/app/github-client.ts';
import { GitHubBusy } from '../../../src/github/app/respect-rate-limits.ts';
import { startTestApi, type TestApi } from '../../support/api-client.ts';
import { APP_ENVIRONMENT } from '../../support/github-app.ts';
import { NOT_DATE } from '../../support/not-date.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';

stubHttp();

type Reply = (res: ServerResponse) => void;

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** What a GitHub on loopback was asked, and what it responds next. Requests for a token always succeed. */
const seen: string[] = [];
const replies: Reply[] = [];
let tokens = 0;

function answer(req: IncomingMessage, res: ServerResponse): void {
  seen.push(`${req.method} ${req.url} ${req.headers.authorization?.split(' ')[0]}`);
  if (req.url?.endsWith('/access_tokens') === true) {
    tokens += 1;
    json(201, { token: `ghs_${tokens}`, expires_at: '2099-01-01T00:00:00Z', permissions: {} })(res);
    return;
  }
  const reply = replies.shift() ?? json(200, { id: 1, name: 'site' });
  reply(res);
}

let api: TestApi;
const server = createServer(answer);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  api = await startTestApi({ ...APP_ENVIRONMENT, GHE_HOST: `127.0.0.1:${port}`, GHE_PROTOCOL: 'http' });
});
afterAll(async () => {
  await api.stop();
  server.closeAllConnections();
  server.close();
});

let installation = 0;
beforeEach(() => {
  installation += 1;
  for (const list of [seen, replies]) list.splice(0);
});

async function readRepo(): Promise<string> {
  const github = await installationClient(api.ctx, installation);
  const { data } = await github.rest.repos.get({ owner: 'octo', repo: 'site' });
  return data.name;
}

const REPO = 'GET /api/v3/repos/octo/site token';

describe('a client of an installation', () => {
  it('asks for a token once, and keeps it from job to job', async () => {
    expect([await readRepo(), await readRepo()]).toEqual(['site', 'site']);
    expect(seen).toEqual([`POST /api/v3/app/installations/${installation}/access_tokens bearer`, REPO, REPO]);
  });

  it('waits as long as GitHub asks, when that is short', async () => {
    replies.push(json(429, { message: 'Slow down' }, { 'retry-after': '1' }));
    expect(await readRepo()).toBe('site');
    expect(seen.slice(1)).toEqual([REPO, REPO]);
    expect(await api.ctx.db('github_pauses').where({ installation_id: installation })).toHaveLength(1);
  });

  it('leaves a longer wait to the queue, and asks nothing until then on any thread', async () => {
    replies.push(json(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '60' }));
    await expect(readRepo()).rejects.toThrow(GitHubBusy);
    const asked = seen.length;
    // Another thread has its own tokens.
    const thread = { ...api.ctx, tokens: new Map() };
    const github = await installationClient(thread, installation);
    await expect(github.rest.repos.get({ owner: 'octo', repo: 'site' })).rejects.toThrow(GitHubBusy);
    expect(seen).toHaveLength(asked);
    api.advance(61_000);
    expect(await readRepo()).toBe('site');
  });

  it('waits for the reset of a limit that is used up', async () => {
    const reset = Math.floor(api.ctx.clock.now().getTime() / 1000) + 600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    replies.push(json(403, { message: 'API rate limit exceeded' }, headers));
    await expect(readRepo()).rejects.toMatchObject({ name: 'GitHubBusy', until: new Date((reset + 1) * 1000) });
  });

  it('leaves a failure to the queue, at once', async () => {
    replies.push(json(502, { message: 'Bad gateway' }));
    await expect(readRepo()).rejects.toMatchObject({ status: 502 });
    replies.push((res) => res.destroy());
    await expect(readRepo()).rejects.toMatchObject({ status: 500 });
    expect(seen).toHaveLength(3);
  });

  it('takes an answer that breaks off for a failure, not for an empty answer', async () => {
    replies.push((res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      res.write('{"id":1,', () => res.destroy());
    });
    const failure: unknown = await readRepo().catch((error: unknown) => error);
    expect([failure instanceof Error, readStatus(failure), isGone(failure)]).toEqual([true, null, false]);
  });

  it('gives up a token that GitHub no longer takes', async () => {
    await readRepo();
    const before = tokens;
    // auth-app itself retries for five seconds while a token is new.
    replies.push(...Array.from({ length: 4 }, () => json(401, { message: 'Bad credentials' })));
    await expect(readRepo()).rejects.toMatchObject({ status: 401 });
    expect(await readRepo()).toBe('site');
    expect(tokens).toBe(before + 1);
  });

  it('asks for another token when the clock was set back, because the old one may have expired', async () => {
    await readRepo();
    const before = tokens;
    api.advance(-3 * 3_600_000);
    expect(await readRepo()).toBe('site');
    expect(tokens).toBe(before + 1);
    api.advance(3 * 3_600_000);
  });

  it('tells what is gone', async () => {
    replies.push(json(404, { message: 'Not Found' }));
    await expect(readRepo().catch((error: unknown) => isGone(error))).resolves.toBe(true);
  });
});

/** A timer of a second, and the requests that change something. */
type Event = 'a second' | 'write';

/** What a client does to write twice, with a clock that stands still: the timers count as they are set, not as they end. */
async function writeTwice(ctx: TestApi['ctx'], heard: (write: () => void) => void): Promise<Event[]> {
  const events: Event[] = [];
  heard(() => events.push('write'));
  jest.useFakeTimers({ doNotFake: [...NOT_DATE] });
  const set = globalThis.setTimeout;
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) => {
    if (ms === 1000) events.push('a second');
    return set(run, ms === 1000 ? 0 : ms);
  });
  try {
    for (const name of ['one', 'two']) {
      const client = await installationClient(ctx, installation);
      await client.rest.checks.create({ owner: 'octo', repo: 'site', name, head_sha: 'a'.repeat(40) });
    }
  } finally {
    timers.mockRestore();
    jest.useRealTimers();
  }
  return events;
}

describe('two writes', () => {
  it('have a second between them at github.com', async () => {
    const github = { ...api.ctx.config.github, enterpriseHost: null };
    const ctx = { ...api.ctx, config: { ...api.ctx.config, github } };
    const token = { token: 'ghs_com', expires_at: '2099-01-01T00:00:00Z', permissions: {} };
    const events = await writeTwice(ctx, (write) => {
      nock('https://api.github.com')
        .post(`/app/installations/${installation}/access_tokens`)
        .reply(201, token)
        .post('/repos/octo/site/check-runs')
        .times(2)
        .reply(() => {
          write();
          return [201, { id: 1 }];
        });
    });
    expect(events).toEqual(['write', 'a second', 'write']);
    expect(nock.isDone()).toBe(true);
  });

  it('have none at an Enterprise Server, which does not insist on it', async () => {
    const events = await writeTwice(api.ctx, (write) => {
      const created: Reply = (res) => {
        write();
        json(201, { id: 1 })(res);
      };
      replies.push(created, created);
    });
    expect(events).toEqual(['write', 'write']);
  });
});

describe('a client of the App', () => {
  it('speaks for the App with a signed statement', async () => {
    const github = await appClient(api.ctx);
    await github.rest.apps.getAuthenticated();
    expect(seen).toEqual(['GET /api/v3/app bearer']);
  });

  it('there is none without credentials', async () => {
    const github = { ...api.ctx.config.github, appId: null, privateKey: null };
    const ctx = { ...api.ctx, config: { ...api.ctx.config, github } };
    await expect(appClient(ctx)).rejects.toThrow('GitHub is not connected');
  });
});
