import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changeOf, storeChanges } from '../support/changes.ts';
import { setStage, share, worldOf, type Stage as SuiteStage } from './fixture.ts';

/* IDs of one suite in the addresses and bodies of another, by somebody who owns one and may only read the other. */

type Stage = SuiteStage & { commentId: string; ignoredId: string; tokenId: string; buildId: string };

let api: TestApi;
let ada: Account;
let own: Stage;
/** Of Bob. Ada may read it. */
let foreign: Stage;
/** Of Bob. Ada does not know of it. */
let secret: Stage;

async function newStage(owner: Account, other: Account): Promise<Stage> {
  const stage = await setStage(api, owner, other);
  await storeChanges(worldOf(api).db, [stage.changed], { '/changed': 'd' });
  const ask = async (path: string, body: unknown) => {
    const answer = await api.request('POST', path, { token: owner.token, body });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const suite = `/api/test-suites/${stage.suite.id}`;
  const comment = await ask(`/api/test-runs/${stage.runId}/comments`, { body: 'Looks odd' });
  const ignored = await ask(`${suite}/ignored-changes`, { resultId: stage.changed.id });
  const { token } = await ask(`${suite}/tokens`, { name: 'CI', scopes: ['read'] });
  const [build] = await api.ctx
    .db('builds')
    .insert({ test_suite_id: stage.suite.id, status: 'READY', digest: 'd', files: 1, bytes: 1 })
    .returning('id');
  return { ...stage, commentId: comment.id, ignoredId: ignored.id, tokenId: token.id, buildId: build.id };
}

beforeAll(async () => {
  api = await startTestApi();
  ada = await api.account('ada');
  const bob = await api.account('bob');
  const carl = await api.account('carl');
  own = await newStage(ada, carl);
  foreign = await newStage(bob, carl);
  secret = await newStage(bob, carl);
  await share(api, foreign.suite, bob, ada, 'VIEWER');
});
afterAll(async () => api.stop());

/** Everything of a suite that a request could change. */
async function everythingOf({ suite, runId }: Stage): Promise<unknown> {
  const { db } = api.ctx;
  const ofSuite = { test_suite_id: suite.id };
  const rows = (table: string, where: object) => db(table).where(where).orderBy('id');
  return Promise.all([
    rows('test_suites', { id: suite.id }),
    ...['site_pages', 'baselines', 'baseline_versions', 'ignored_changes', 'api_tokens', 'builds', 'test_runs'].map(
      (table) => rows(table, ofSuite),
    ),
    ...['page_results', 'comments', 'change_requests'].map((table) => rows(table, { test_run_id: runId })),
  ]);
}

type Attack = (outer: Stage, inner: Stage) => [method: string, path: string, body?: unknown];

const suitePath = ({ suite }: Stage, rest: string) => `/api/test-suites/${suite.id}${rest}`;
const runPath = ({ runId }: Stage, rest: string) => `/api/test-runs/${runId}${rest}`;
const NOTE = { note: 'a note' };

const ATTACKS: Record<string, Attack> = {
  'reads a page': (outer, inner) => ['GET', suitePath(outer, `/pages/${inner.pageId}`)],
  'reads the history of a page': (outer, inner) => ['GET', suitePath(outer, `/pages/${inner.pageId}/history`)],
  'reads a build': (outer, inner) => ['GET', suitePath(outer, `/builds/${inner.buildId}`)],
  'runs with a build': (outer, inner) => ['POST', suitePath(outer, '/run'), { buildId: inner.buildId }],
  'changes a grant': (outer, inner) => ['PATCH', suitePath(outer, `/access/${inner.grantId}`), { role: 'ADMIN' }],
  'revokes a grant': (outer, inner) => ['DELETE', suitePath(outer, `/access/${inner.grantId}`)],
  'revokes a token': (outer, inner) => ['DELETE', suitePath(outer, `/tokens/${inner.tokenId}`)],
  'ignores a change': (outer, inner) => ['POST', suitePath(outer, '/ignored-changes'), { resultId: inner.changed.id }],
  'stops ignoring a change': (outer, inner) => ['DELETE', suitePath(outer, `/ignored-changes/${inner.ignoredId}`)],
  'decides about a result': (outer, inner) => [
    'PATCH',
    runPath(outer, `/results/${inner.changed.id}`),
    { decision: 'approve', ...NOTE },
  ],
  'sets the cause of a result': (outer, inner) => [
    'PATCH',
    runPath(outer, `/results/${inner.changed.id}`),
    { cause: 'CHANGE' },
  ],
  'comments on a result': (outer, inner) => [
    'POST',
    runPath(outer, '/comments'),
    { body: 'Hello', resultId: inner.changed.id },
  ],
  'edits a comment': (outer, inner) => ['PATCH', runPath(outer, `/comments/${inner.commentId}`), { body: 'Hello' }],
  'deletes a comment': (outer, inner) => ['DELETE', runPath(outer, `/comments/${inner.commentId}`)],
};

/** These name several things at once. Pages that are not there are passed over. */
const LISTED: Record<string, Attack> = {
  'approves results': (outer, inner) => ['POST', runPath(outer, '/approve-visuals'), { resultIds: [inner.changed.id] }],
  'decides about results': (outer, inner) => [
    'POST',
    runPath(outer, '/verdicts'),
    { decision: 'request_changes', resultIds: [inner.changed.id], ...NOTE },
  ],
  'untracks pages': (outer, inner) => [
    'PATCH',
    suitePath(outer, '/pages'),
    { action: 'untrack', pageIds: [inner.pageId] },
  ],
};

describe.each(Object.entries({ ...ATTACKS, ...LISTED }))('who %s', (_name, attack) => {
  it.each(['that they may read', 'that they do not know'])(
    'of another suite %s is refused, and changes nothing',
    async (which) => {
      const inner = which === 'that they may read' ? foreign : secret;
      const before = await Promise.all([own, inner].map(everythingOf));
      for (const [outer, named] of [
        [own, inner],
        [inner, own],
      ] as const) {
        const [method, path, body] = attack(outer, named);
        const { status } = await api.request(method, path, { token: ada.token, body });
        const isRefused = [400, 403, 404, 422].includes(status) || (path.endsWith('/pages') && status === 200);
        expect([method, path, status, isRefused]).toEqual([method, path, status, true]);
      }
      expect(await Promise.all([own, inner].map(everythingOf))).toEqual(before);
    },
  );
});

describe('what belongs to a suite that somebody does not know', () => {
  it.each<[string, Attack]>([
    [
      'a version',
      (outer, inner) => [
        'POST',
        '/api/baseline-versions/compare',
        { fromVersionId: outer.versionId, toVersionId: inner.versionId },
      ],
    ],
    [
      'a version to compare from',
      (outer, inner) => [
        'POST',
        '/api/baseline-versions/compare',
        { fromVersionId: inner.versionId, toVersionId: outer.versionId },
      ],
    ],
    ['a baseline', (_outer, inner) => ['GET', `/api/baselines/${inner.baselineId}`]],
    ['a result', (_outer, inner) => ['POST', '/api/baselines', { pageResultId: inner.changed.id }]],
    ['a run', (_outer, inner) => ['GET', runPath(inner, '/logs')]],
    ['a group of changes', (_outer, inner) => ['POST', runPath(inner, `/changes/${changeOf('d').key}/approve`)]],
    ['its variants', (_outer, inner) => ['GET', runPath(inner, `/changes/${changeOf('d').key}/variants`)]],
    ['the follow of a suite', (_outer, inner) => ['PUT', suitePath(inner, '/follow')]],
    ['the site access of a suite', (_outer, inner) => ['GET', suitePath(inner, '/site-access')]],
  ])('is not there: %s', async (_what, attack) => {
    const [method, path, body] = attack(own, secret);
    const { status } = await api.request(method, path, { token: ada.token, body });
    expect(status).toBe(404);
  });

  it('is not found by search, on the dashboard, in lists, or by the results of comments', async () => {
    await api.ctx.db('test_suites').where({ id: secret.suite.id }).update({ name: 'Project Zanzibar' });
    const paths = [
      '/api/search?q=zanzibar',
      '/api/search?q=changed',
      '/api/dashboard',
      '/api/test-suites',
      '/api/test-runs',
      '/api/manual-runs',
      '/api/tokens',
      runPath(own, `/comments?resultId=${secret.changed.id}`),
    ];
    for (const path of paths) {
      const { status, body } = await api.request('GET', path, { token: ada.token });
      expect([path, status]).toEqual([path, 200]);
      const told = JSON.stringify(body);
      const ids = [secret.suite.id, secret.runId, secret.changed.id, secret.commentId, 'Zanzibar'];
      expect([path, ids.filter((id) => told.includes(id))]).toEqual([path, []]);
    }
  });
});
