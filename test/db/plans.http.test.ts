import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_CONFIG } from '../../src/suites/config/suite-config.ts';
import { listRoutes } from '../bench/load/routes.js';
import { readTargets, seedLoad } from '../bench/load/seed-load.js';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { recordStatements, type Statement } from '../support/count-statements.ts';

/** Large enough that PostgreSQL prefers an index wherever it has one that fits, and seeded in a few seconds. */
const SIZE = { suites: 300, neighbors: 8000, runs: 1500, results: 20, bigPages: 600, pages: 40, lines: 6 };

const LARGE = [
  'baselines',
  'baseline_versions',
  'page_results',
  'result_changes',
  'site_pages',
  'test_run_logs',
  'test_runs',
  'test_suites',
];

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  await seedLoad(api.ctx.db, { userId: owner.user.id, config: DEFAULT_CONFIG, size: SIZE });
});
afterAll(() => api.stop());

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};

/** More than the longest list, or what a person has of a kind, and less than a large table. */
const MOST_ROWS = 2000;

/** What a plan reads from end to end of the large tables, or more of it than any list needs. */
function scans({ Plans = [], ...node }: Plan): string[] {
  const table = node['Relation Name'] ?? '';
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + dropped) * node['Actual Loops'];
  const isLong = node['Node Type'] === 'Seq Scan' || rows > MOST_ROWS;
  const own = isLong && LARGE.includes(table) ? [`${node['Node Type']} of ${rows} rows of ${table}`] : [];
  return [...own, ...Plans.flatMap(scans)];
}

async function plan(sql: string, values: unknown[]): Promise<Plan> {
  const connection = await api.ctx.db.client.acquireConnection();
  try {
    const { rows } = await connection.query(sql, values);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await api.ctx.db.client.releaseConnection(connection);
  }
}

const explain = async ({ text, values }: Statement) =>
  plan(`explain (analyze, timing off, format json) ${text}`, values);

/** The plan for any values, which a prepared statement may get after some executions. It is not executed. */
const explainForAny = async ({ text }: Statement) => plan(`explain (generic_plan, format json) ${text}`, []);

/** The large tables that a plan which was not executed reads from end to end. */
function scanned({ Plans = [], ...node }: Plan): string[] {
  const table = node['Relation Name'] ?? '';
  const own = node['Node Type'] === 'Seq Scan' && LARGE.includes(table) ? [`for any values: ${table}`] : [];
  return [...own, ...Plans.flatMap(scanned)];
}

/** The queries of one request. */
async function record(path: string): Promise<Statement[]> {
  const sent = path.startsWith('/api')
    ? { token: owner.token }
    : { headers: { cookie: `pixelgate_session=${owner.token}` } };
  const statements = await recordStatements(async () => {
    const answer = await api.request('GET', path, sent);
    const led = answer.status === 303 ? (answer.headers.get('location') ?? '') : null;
    const { status } = led === null ? answer : await api.request('GET', led, sent);
    expect([path, status]).toEqual([path, 200]);
  });
  return statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text));
}

it('sees a scan where no index leads to the rows', async () => {
  const statement = { text: 'select id from page_results where diff_file = $1', values: ['x'] };
  expect(scans(await explain(statement))).toEqual([expect.stringMatching(/^Seq Scan of \d+ rows of page_results$/)]);
  expect(scanned(await explainForAny(statement))).toEqual(['for any values: page_results']);
});

it('reads no large table from end to end, for any list or page', async () => {
  const found: unknown[] = [];
  const routes = listRoutes(await readTargets(api.ctx.db)).flatMap(({ name, path }) => {
    const isList = path.startsWith('/api') && !path.includes('dashboard') && !path.includes('limit');
    return [{ name, path }, ...(isList ? [{ name, path: `${path}${path.includes('?') ? '&' : '?'}limit=7` }] : [])];
  });
  for (const { name, path } of routes) {
    const statements = await record(path);
    expect(statements.length).toBeGreaterThan(1);
    for (const statement of statements) {
      const tables = [...scans(await explain(statement)), ...scanned(await explainForAny(statement))];
      if (tables.length > 0) found.push([name, tables, statement.text]);
    }
  }
  expect(found).toEqual([]);
});
