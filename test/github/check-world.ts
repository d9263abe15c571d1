import { generateKeyPairSync } from 'node:crypto';
import type { Knex } from 'knex';
import type { Viewer } from '../../src/auth/user.ts';
import { readConfig } from '../../src/config.ts';
import { setHead, setMerged } from '../../src/pull-requests/pull-request-run-store.ts';
import {
  insertPullRequest,
  saveDefaultBranch,
  changePullRequest as storePullRequest,
} from '../../src/pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import { openPullRequestRun, startPullRequestRun } from '../../src/pull-requests/start-pull-request-run.ts';
import { carryOverApprovals } from '../../src/review/approval/carry-over.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { settleResult, type Settlement } from '../../src/runs/page-jobs/compare-page.ts';
import { linkedSuites } from '../../src/suites/linked-suites.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { readRun } from '../support/requests.ts';
import { nock } from '../support/stub-http.ts';
import { newSuite, worldOn, type OwnSuite, type World } from '../support/world.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const REPOSITORY = { owner: 'acme', repo: 'site' };
export const SHA = 'abc1234'.padEnd(40, '0');
const INSTALLATION = 12;
const API = 'http://github.test';
const REPO = '/api/v3/repos/acme/site';

/** A context that is connected to a GitHub simulated by nock. */
export function connectedWorld(db: Knex): World {
  const world = worldOn(db);
  const { config } = world.ctx;
  const { github } = readConfig({
    APP_ID: '1',
    PRIVATE_KEY: privateKey,
    GHE_HOST: 'github.test',
    GHE_PROTOCOL: 'http',
  });
  return { ...world, ctx: { ...world.ctx, config: { ...config, publicUrl: 'https://gate.example.com', github } } };
}

/** What GitHub responds while the App gets a token. */
export function letIn(): void {
  nock(API)
    .persist()
    .post(/^\/api\/v3\/app\/installations\/\d+\/access_tokens$/)
    .reply(201, {
      token: 'ghs_token',
      expires_at: '2999-01-01T00:00:00Z',
      permissions: {},
      repository_selection: 'all',
    });
}

/** Removes all prepared responses of GitHub. Throws if one of them was not requested. */
export function leaveNothing(): void {
  const left = nock.pendingMocks().filter((mock) => !mock.includes('access_tokens'));
  nock.cleanAll();
  if (left.length > 0) throw new Error(`GitHub was not asked: ${left.join(', ')}`);
}

export type Told = Record<string, unknown>;

type Reply = { status?: number; body?: object; headers?: Record<string, string>; error?: string };

function answer(interceptor: nock.Interceptor, told: Told[], reply: Reply, body: object): void {
  if (reply.error !== undefined) interceptor.replyWithError(reply.error);
  else {
    interceptor.reply(
      reply.status ?? 200,
      (_, sent) => {
        if (typeof sent === 'object') told.push({ ...sent });
        return reply.body ?? body;
      },
      reply.headers,
    );
  }
}

/** The next check that is created gets this number. Collects what was requested. */
export function expectCreated(id: number, reply: Reply = {}): Told[] {
  const told: Told[] = [];
  answer(nock(API).post(`${REPO}/check-runs`), told, { status: 201, ...reply }, { id });
  return told;
}

export function expectUpdated(id: number, reply: Reply = {}): Told[] {
  const told: Told[] = [];
  answer(nock(API).patch(`${REPO}/check-runs/${id}`), told, reply, { id });
  return told;
}

export function expectListed(name: string, checks: { id: number; external_id: string }[], sha = SHA): nock.Scope {
  return nock(API)
    .get(`${REPO}/commits/${sha}/check-runs`)
    .query({ check_name: name, filter: 'all', per_page: '100' })
    .reply(200, { total_count: checks.length, check_runs: checks });
}

const COMMITS_A_PAGE = 100;

export function expectCompared(base: string, sha: string, commits: { sha: string; message: string }[]): nock.Scope {
  return nock(API)
    .get(`${REPO}/compare/${base}...${sha}`)
    .query(true)
    .times(Math.ceil(commits.length / COMMITS_A_PAGE) || 1)
    .reply((address) => {
      const { searchParams } = new URL(address, API);
      const [size, page] = [Number(searchParams.get('per_page') ?? 250), Number(searchParams.get('page') ?? 1)];
      const some = commits.slice((page - 1) * size, page * size);
      const url = `${API}${REPO}/compare/${base}...${sha}`;
      const shown = some.map((commit) => ({ sha: commit.sha, commit: { message: commit.message } }));
      return [200, { url, total_commits: commits.length, commits: shown }];
    });
}

let installations = INSTALLATION;

/**
 * A suite linked to the repository. It has its own installation, because writes for one are a second apart.
 */
export async function linkedSuite(
  world: World,
  viewer: Viewer,
  paths: string[],
  repository = REPOSITORY,
): Promise<OwnSuite> {
  const suite = await newSuite(world, viewer, paths);
  installations += 1;
  await world.db('test_suites').where({ id: suite.id }).update({
    codehost_owner: repository.owner,
    codehost_repo: repository.repo,
    codehost_installation_id: installations,
  });
  return suite;
}

export async function unlink(world: World, suite: { id: string }): Promise<void> {
  const nothing = { codehost_owner: null, codehost_repo: null, codehost_installation_id: null };
  await world.db('test_suites').where({ id: suite.id }).update(nothing);
}

let pulls = 0;

/** An open pull request, stored as if its event had arrived. */
export async function newPullRequest(world: World, said: Partial<PullRequest> = {}): Promise<PullRequest> {
  pulls += 1;
  const pull: PullRequest = {
    ...REPOSITORY,
    number: pulls,
    headSha: SHA,
    title: null,
    headBranch: 'feature',
    fromFork: false,
    baseBranch: 'main',
    state: 'OPEN',
    draft: false,
    mergeCommitSha: null,
    mergedAt: null,
    installationId: INSTALLATION,
    changedAt: new Date('2026-01-01T00:00:00Z'),
    ...said,
  };
  await insertPullRequest(world.db, pull);
  return pull;
}

export async function changePullRequest(world: World, pull: PullRequest): Promise<void> {
  await storePullRequest(world.db, pull);
  await setHead(world.db, pull);
  if (pull.state === 'MERGED') await setMerged(world.db, pull);
}

/** As if a webhook had told it. */
export async function tellDefaultBranch(world: World, defaultBranch: string): Promise<void> {
  await saveDefaultBranch(world.db, REPOSITORY, { defaultBranch, toldAt: new Date() });
}

/** @returns the ID of the run that waits for its preview. */
export async function waitingRun(world: World, suite: SuiteForViewer, pull: PullRequest): Promise<string> {
  const linked = (await linkedSuites(world.ctx, pull)).find((each) => each.suite.id === suite.id);
  if (linked === undefined) throw new Error('The suite is not linked to the repository of the pull request');
  const runId = await world.db.transaction((trx) => startPullRequestRun(trx, world.ctx, linked, pull, []));
  if (runId === null) throw new Error('There is a run of this head already');
  return runId;
}

/** Gives the waiting run its preview and starts it. */
export async function takeRun(world: World, runId: string): Promise<void> {
  await openPullRequestRun(world.ctx, runId, { address: 'https://preview.example.com', buildId: null });
  await world.db('test_runs').where({ id: runId }).update({ status: 'RUNNING' });
}

/** Settles the run's results one after another and finishes it. `null` stands for an ERROR. */
export async function settleRun(
  world: World,
  viewer: Viewer,
  runId: string,
  settlements: (Settlement | null)[],
): Promise<void> {
  const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
  for (const [index, result] of results.filter((each) => each.status === 'PENDING').entries()) {
    const settlement = settlements[index] ?? { status: 'ERROR' as const, error: 'It could not be captured' };
    await settleResult(world.ctx, result, settlement);
  }
  await finishRun(world.ctx, { runId }, carryOverApprovals);
}

export const changedScreenshot = (suite: { id: string }, letter = 'b'): Settlement => ({
  status: 'FAIL',
  diffScore: 2.5,
  currentFile: `suites/${suite.id}/${letter.repeat(64)}.png`,
  diffFile: `suites/${suite.id}/${'d'.repeat(64)}.png`,
});

export const sameScreenshot = (suite: { id: string }): Settlement => ({
  status: 'PASS',
  diffScore: 0,
  currentFile: `suites/${suite.id}/${'a'.repeat(64)}.png`,
});
