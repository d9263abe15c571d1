import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { countStatements } from '../support/count-statements.ts';
import { shareSuite } from '../support/requests.ts';
import { broken, changed, fresh, logLines, passed, runOf, siteOf } from './runs-fixture.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

type Stage = { reviewer: Account; suiteId: string; pageId: string; runId: string; resultId: string };

const PULL_REQUEST = { git_owner: 'octo', git_repo: 'site', git_pr_number: 7, git_head_sha: 'ab', git_enqueued: true };

/** Everything that a page lists has this many rows. The reviewer is not the owner. */
async function stageWith(rows: number): Promise<Stage> {
  const [owner, reviewer] = [await api.account('owner'), await api.account('reviewer')];
  const paths = Array.from({ length: rows }, (_, row) => `/${row}`);
  const suite = await siteOf(api, owner.user, paths);
  await shareSuite(api.ctx, owner.user, suite, { userId: reviewer.user.id, role: 'REVIEWER' });
  for (let other = 1; other < rows; other += 1) {
    const { id } = await siteOf(api, owner.user, ['/']);
    await shareSuite(api.ctx, owner.user, { id }, { userId: reviewer.user.id, role: 'VIEWER' });
    const person = await api.account('person');
    await shareSuite(api.ctx, owner.user, suite, { userId: person.user.id, role: 'VIEWER' });
    await runOf(api, suite, { results: { '/0': passed } });
  }
  const kinds = [changed, fresh, broken, passed, { status: 'CANCELLED' as const }];
  const results = Object.fromEntries(paths.map((path, row) => [path, kinds[row % kinds.length] ?? passed]));
  const { id: runId, resultIds } = await runOf(api, suite, { runType: 'PR', columns: PULL_REQUEST, results });
  for (const [at, id] of resultIds.entries()) {
    const own = changeOf('d', { key: at.toString(16).padStart(32, '0') });
    await replaceChanges(api.ctx.db, { id, testRunId: runId }, [changeOf('e'), own]);
  }
  await logLines(
    api,
    runId,
    paths.map((path) => ({ type: 'INFO', message: path })),
  );
  await api.ctx.db('baseline_versions').insert(
    paths.map((_, row) => ({
      test_suite_id: suite.id,
      path: '/0',
      url: `${suite.origin}/0`,
      viewport: 'desktop',
      version: row + 1,
      file_path: 'a.png',
      source: 'API',
    })),
  );
  const page = await api.ctx.db('site_pages').where({ test_suite_id: suite.id, path: '/0' }).first('id');
  return { reviewer, suiteId: suite.id, pageId: String(page?.id), runId, resultId: resultIds[0] ?? '' };
}

/** The most statements that each request may take, including the one that finds the viewer. */
const REQUESTS: [string, (stage: Stage) => string, number][] = [
  ['the dashboard', () => '/', 8],
  ['the list of suites', () => '/suites', 6],
  ['the list of runs', () => '/runs', 5],
  ['the search', () => '/search?q=page', 6],
  ['the settings of a suite', ({ suiteId }) => `/suites/${suiteId}/settings`, 5],
  ['a suite', ({ suiteId }) => `/suites/${suiteId}`, 13],
  ['the runs of a suite', ({ suiteId }) => `/suites/${suiteId}/runs`, 7],
  ['the ignored changes of a suite', ({ suiteId }) => `/suites/${suiteId}/ignored-changes`, 6],
  ['the audit log of a suite', ({ suiteId }) => `/suites/${suiteId}/audit`, 6],
  ['the history of a page', ({ suiteId, pageId }) => `/suites/${suiteId}/pages/${pageId}`, 10],
  ['a run', ({ runId }) => `/runs/${runId}`, 15],
  ['the log of a run', ({ runId }) => `/runs/${runId}/log`, 7],
  ['the review of a result', ({ runId, resultId }) => `/runs/${runId}/results/${resultId}`, 14],
  ['runs by the API', () => '/api/test-runs', 3],
  ['a run by the API', ({ runId }) => `/api/test-runs/${runId}`, 4],
  ['changes by the API', ({ runId }) => `/api/test-runs/${runId}/changes`, 5],
  ['results by the API', ({ runId }) => `/api/test-runs/${runId}/results`, 4],
  ['a suite by the API', ({ suiteId }) => `/api/test-suites/${suiteId}`, 5],
];

it('answers each request with few statements, however many rows there are', async () => {
  const stages = [await stageWith(2), await stageWith(40)];
  const counted: [string, number][] = [];
  for (const [name, pathOf] of REQUESTS) {
    const counts: number[] = [];
    for (const stage of stages) {
      const { token } = stage.reviewer;
      counts.push(
        await countStatements(async () => {
          expect((await api.request('GET', pathOf(stage), { token })).status).toBe(200);
        }),
      );
    }
    counted.push([name, Math.max(...counts)]);
  }
  const tooMany = counted.filter(([name, count]) => count > (REQUESTS.find(([each]) => each === name)?.[2] ?? 0));
  expect(tooMany).toEqual([]);
});
