import { once } from 'node:events';
import { link, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCall } from '../../src/cli/arguments.ts';
import { RefusedError, UsageError } from '../../src/cli/outcome.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { setStage, type Stage } from '../api/fixture.ts';
import { MERGE_SHA, startActionsIssuer, type ActionsIssuer } from '../support/actions-issuer.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

const AUDIENCE = 'https://pixelgate.test';

let issuer: ActionsIssuer;
let api: TestApi;
let owner: Account;
let stage: Stage;
let token: string;
let dir: string;
beforeAll(async () => {
  issuer = await startActionsIssuer(AUDIENCE);
  api = await startTestApi({ ...issuer.environment, PUBLIC_URL: AUDIENCE });
  owner = await api.account('owner');
  stage = await setStage(api, owner, await api.account('other'));
  const link = { codehost_owner: 'acme', codehost_repo: 'web', codehost_installation_id: 7 };
  await api.ctx
    .db('test_suites')
    .where({ id: stage.suite.id })
    .update({ ...link, codehost_repository_id: 4242 });
  const body = { name: 'CI', scopes: ['upload', 'run', 'read'] };
  const made = await api.request('POST', `/api/test-suites/${stage.suite.id}/tokens`, { token: owner.token, body });
  token = made.body.secret;
  dir = await mkdtemp(path.join(tmpdir(), 'pixelgate-cli-'));
  await mkdir(path.join(dir, 'docs'));
  await writeFile(path.join(dir, 'docs', 'index.html'), '<h1>Docs</h1>');
  await symlink('docs/index.html', path.join(dir, 'index.html'));
});
afterAll(async () => {
  await api.stop();
  await issuer.stop();
});

/** What the tool does with these words: its exit code, its answer, and what it says beside. */
async function pixelgate(args: string[], env: NodeJS.ProcessEnv = {}, hear: (text: string) => void = () => {}) {
  const printed: string[] = [];
  const said: string[] = [];
  const known = { PIXELGATE_URL: api.url, PIXELGATE_SUITE: stage.suite.id, PIXELGATE_TOKEN: token };
  const call = readCall(args);
  if (call === null) throw new Error('Help was asked for');
  const terminal = {
    say(text: string) {
      said.push(text);
      hear(text);
    },
    print: (text: string) => void printed.push(text),
    env: { ...known, ...env },
  };
  const code = await runCommand(call, terminal);
  return { code, printed: printed.join('\n'), said: said.join('\n') };
}

/** A proxy that says that a run was started, answers 502 once, and then what the service does. */
async function startProxy(runId: string) {
  let isBack = false;
  async function answer(path: string) {
    if (isBack) return api.request('GET', path, { token });
    isBack = true;
    return { status: 502, body: null };
  }
  const server = createServer((req, res) => {
    const body = { testRunId: runId };
    const answered = req.method === 'POST' ? Promise.resolve({ status: 202, body }) : answer(req.url ?? '');
    answered
      .then(({ status, body: sent }) => res.writeHead(status).end(JSON.stringify(sent)))
      .catch(() => res.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const endRun = async (id: string, change: Record<string, unknown>) =>
  api.ctx.db('test_runs').where({ id }).update(change);

describe('the command line tool', () => {
  it('uploads a directory, and runs it', async () => {
    const sha = 'b2'.repeat(20);
    const uploaded = await pixelgate(['upload', dir, '--sha', sha]);
    const build = await api.ctx.db('builds').where({ id: uploaded.printed }).first();
    expect([uploaded.code, build]).toEqual([0, expect.objectContaining({ files: 2, headSha: sha, status: 'READY' })]);
    const started = await pixelgate(['run', '--dir', dir, '--branch', 'menu', '--pr', '7', '--json']);
    const answer = JSON.parse(started.printed);
    expect(answer).toMatchObject({ status: 'PENDING', exitCode: 0, url: `${api.url}/runs/${answer.id}` });
    const run = await api.ctx.db('test_runs').where({ id: answer.id }).first();
    expect(run).toMatchObject({ gitBranch: 'menu', gitPrNumber: 7, runType: 'BRANCH' });
    expect(run.buildId).not.toBeNull();
  });

  it('uploads files that are links to each other as files', async () => {
    const linked = await mkdtemp(path.join(tmpdir(), 'pixelgate-cli-'));
    await writeFile(path.join(linked, 'index.html'), '<h1>Docs</h1>');
    await link(path.join(linked, 'index.html'), path.join(linked, 'start.html'));
    expect((await pixelgate(['upload', linked])).said).toContain('2 files');
  });

  it('signs in as a GitHub workflow where there is no token, and again before that ends', async () => {
    const job = {
      PIXELGATE_TOKEN: '',
      PIXELGATE_SUITE: '',
      PIXELGATE_AUDIENCE: AUDIENCE,
      ...issuer.jobEnvironment({ nbf: 0 }),
    };
    const asked = async (args: string[]) => {
      const before = issuer.audiences.length;
      expect((await pixelgate(args, job)).code).toBe(0);
      return issuer.audiences.slice(before);
    };
    expect(await asked(['run', '--dir', dir, '--sha', MERGE_SHA])).toEqual([AUDIENCE]);
    expect(await asked(['upload', dir, '--sha', MERGE_SHA])).toEqual([AUDIENCE]);
    // To the tool, every token is about to end.
    api.advance(-11 * 60_000);
    expect((await asked(['run', '--dir', dir])).length).toBeGreaterThan(2);
    api.advance(11 * 60_000);
    await expect(pixelgate(['upload', dir, '--sha', 'b2'.repeat(20)], job)).rejects.toThrow(/This workflow’s token/);
    await expect(pixelgate(['run'], { ...job, PIXELGATE_AUDIENCE: '' })).rejects.toThrow(/audience/);
    const forked = { PIXELGATE_TOKEN: '', GITHUB_ACTIONS: 'true' };
    await expect(pixelgate(['run'], forked)).rejects.toThrow(/id-token: write/);
  });

  it('waits for the event of a pull request whose workflow was faster', async () => {
    const headSha = 'c3'.repeat(20);
    const row = { owner: 'acme', repo: 'web', number: 9, head_sha: headSha, head_branch: 'topic', base_branch: 'main' };
    const arrive = async () =>
      api.ctx
        .db('pull_requests')
        .insert({ ...row, from_fork: false, state: 'CLOSED', installation_id: 7, changed_at: new Date() });
    const arrivals: Promise<unknown>[] = [];
    const job = {
      PIXELGATE_TOKEN: '',
      PIXELGATE_AUDIENCE: AUDIENCE,
      ...issuer.jobEnvironment({ event_name: 'pull_request', ref: 'refs/pull/9/merge' }),
    };
    const uploaded = await pixelgate(['upload', dir, '--sha', headSha], job, (text) => {
      if (text.includes('has not told') && arrivals.length === 0) arrivals.push(arrive());
    });
    await Promise.all(arrivals);
    expect([uploaded.code, arrivals.length]).toEqual([0, 1]);
  });

  it.each([
    [0, { status: 'COMPLETED', review_state: 'NOT_REQUIRED' }, 'nothing to review'],
    [0, { status: 'COMPLETED', review_state: 'APPROVED' }, 'approved'],
    [1, { status: 'COMPLETED', review_state: 'PENDING' }, 'changes await review'],
    [2, { status: 'FAILED', review_state: 'NOT_REQUIRED' }, 'failed'],
    [2, { status: 'CANCELLED', review_state: 'NOT_REQUIRED' }, 'cancelled'],
    [2, { status: 'COMPLETED', review_state: 'PENDING', metadata: '{"errorTests":1}' }, '1 error'],
  ])('ends with %i when a run is %j', async (code, change, words) => {
    await endRun(stage.runId, { metadata: '{}', ...change });
    for (const command of ['status', 'wait']) {
      const ended = await pixelgate([command, stage.runId]);
      expect(ended).toEqual({ code, printed: `${api.url}/runs/${stage.runId}`, said: expect.stringContaining(words) });
    }
  });

  it('calls no screenshot changed that only differs, such as by drift', async () => {
    const metadata = JSON.stringify({ totalScreenshots: 4, failedTests: 3, errorTests: 0 });
    await endRun(stage.runId, { status: 'COMPLETED', review_state: 'NOT_REQUIRED', metadata });
    const { said } = await pixelgate(['status', stage.runId]);
    expect(said).toBe('nothing to review (4 screenshots, 3 different, 0 errors)');
  });

  it('waits until a run has ended, whose status is not fine before', async () => {
    const { printed } = await pixelgate(['run', '--json']);
    const { id } = JSON.parse(printed);
    const status = await pixelgate(['status', id, '--json']);
    expect([status.code, JSON.parse(status.printed).exitCode]).toEqual([1, 1]);
    const waiting = pixelgate(['wait', id]);
    await endRun(id, { status: 'COMPLETED', review_state: 'PENDING' });
    expect((await waiting).code).toBe(1);
  });

  it('starts a run with a token that may only do that', async () => {
    const body = { name: 'CI, without reading', scopes: ['upload', 'run'] };
    const path = `/api/test-suites/${stage.suite.id}/tokens`;
    const made = await api.request('POST', path, { token: owner.token, body });
    const started = await pixelgate(['run', '--dir', dir], { PIXELGATE_TOKEN: made.body.secret });
    expect(started).toMatchObject({ code: 0, printed: expect.stringContaining(`${api.url}/runs/`) });
  });

  it('waits for the run that it has started when the server is away right after', async () => {
    const { id } = JSON.parse((await pixelgate(['run', '--json'])).printed);
    await endRun(id, { status: 'COMPLETED', review_state: 'NOT_REQUIRED', metadata: '{}' });
    const proxy = await startProxy(id);
    const waited = await pixelgate(['run', '--wait'], { PIXELGATE_URL: proxy.url });
    expect(waited).toMatchObject({ code: 0, said: expect.stringMatching(/502 Bad Gateway\nnothing to review/) });
    await proxy.stop();
  });

  it('stops waiting once its token is revoked', async () => {
    const body = { name: 'CI, for a while', scopes: ['read'] };
    const path = `/api/test-suites/${stage.suite.id}/tokens`;
    const made = await api.request('POST', path, { token: owner.token, body });
    const { printed } = await pixelgate(['run', '--json']);
    const revoke = async () => api.request('DELETE', `${path}/${made.body.token.id}`, { token: owner.token });
    const revoked: ReturnType<typeof revoke>[] = [];
    const waiting = pixelgate(['wait', JSON.parse(printed).id], { PIXELGATE_TOKEN: made.body.secret }, () => {
      if (revoked.length === 0) revoked.push(revoke());
    });
    await expect(waiting).rejects.toThrow(RefusedError);
    expect((await Promise.all(revoked)).map(({ status }) => status)).toEqual([200]);
  });

  it.each([
    [['fly']],
    [['upload']],
    [['run', 'more']],
    [['run', '--url', 'http://a.test', '--build', 'b']],
    [['run', '--unknown']],
    [['run', '--pr', 'seven']],
    [['upload', '/no/such/directory']],
    [['run', '--build', '00000000-0000-4000-8000-000000000000']],
    [['run', '--url', 'no address']],
    [['run', '--pr', '7']],
    [['status', '']],
    [['wait', '']],
    [['status', '00000000-0000-4000-8000-000000000000', '--wait']],
    [['wait', '00000000-0000-4000-8000-000000000000', '--url', 'http://a.test']],
  ])('refuses %j as wrong use', async (args) => {
    await expect(pixelgate(args)).rejects.toThrow(UsageError);
  });

  it('says which values the server does not take', async () => {
    await expect(pixelgate(['run', '--sha', 'zz'])).rejects.toThrow(/headSha must be the full SHA of a commit/);
  });

  it('refuses to start without an address, a suite or a token', async () => {
    for (const name of ['PIXELGATE_URL', 'PIXELGATE_SUITE', 'PIXELGATE_TOKEN']) {
      await expect(pixelgate(['run'], { [name]: '' })).rejects.toThrow(new RegExp(`${name} is not set`));
    }
  });

  it.each(['pgs_one\npgs_two', 'pgs_\u2713'])('refuses the token %j without repeating it', async (secret) => {
    const refused = pixelgate(['status', stage.runId], { PIXELGATE_TOKEN: secret });
    await expect(refused).rejects.toThrow(new UsageError('PIXELGATE_TOKEN is not a token'));
  });

  it('tells what was not reached or not allowed apart from wrong use', async () => {
    await expect(pixelgate(['status', stage.runId], { PIXELGATE_URL: 'http://127.0.0.1:1' })).rejects.toThrow(
      RefusedError,
    );
    await expect(pixelgate(['status', stage.runId], { PIXELGATE_TOKEN: 'pgs_revoked' })).rejects.toThrow(RefusedError);
    await expect(pixelgate(['status', '00000000-0000-4000-8000-000000000000'])).rejects.toThrow(/not found/);
  });
});
