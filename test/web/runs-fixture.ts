import type { Viewer } from '../../src/auth/user.ts';
import { settleResult, type Settlement } from '../../src/runs/page-jobs/compare-page.ts';
import { savePageStates } from '../../src/runs/page-results/page-state-store.ts';
import { findResult } from '../../src/runs/results/result-store.ts';
import type { ResultStatus } from '../../src/runs/results/result.ts';
import type { RunStatus, RunType } from '../../src/runs/run.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { halfBlack } from '../api/fixture.ts';
import type { TestApi } from '../support/api-client.ts';
import { numberRuns } from '../support/number-runs.ts';
import { screenshot, type OwnSuite } from '../support/world.ts';

const VIEWPORTS = ['desktop', 'mobile'].map((name) => ({ name, width: 800, height: 600 }));

/** The title of the suite's page at `/`. Must be escaped wherever it is shown. */
export const HOSTILE = `<script>alert(1)</script>"'>`;

export async function siteOf({ ctx }: TestApi, owner: Viewer, paths: string[]): Promise<OwnSuite> {
  const input = { name: `Site ${HOSTILE}`, baseUrl: 'http://site.test', config: { viewports: VIEWPORTS } };
  const suite = await createSuite(ctx, owner, input);
  await ctx.db('site_pages').insert(
    paths.map((path) => ({
      test_suite_id: suite.id,
      owner_id: suite.userId,
      path,
      title: path === '/' ? HOSTILE : `Page ${path}`,
      tracked: true,
    })),
  );
  await ctx.storage.put(screenshot(suite, 'ab'), halfBlack(0));
  return suite as OwnSuite;
}

export type Said = {
  status: ResultStatus;
  is_new?: boolean;
  diff_score?: number;
  error?: string;
  stability?: 'AT_ONCE' | 'SETTLED' | 'UNSTABLE';
  screenshots?: number;
  cut?: boolean;
  cause?: string;
  control_state?: string;
  drifted?: boolean;
  servers?: string | null;
};

export const changed: Said = { status: 'FAIL', diff_score: 12.5 };
export const fresh: Said = { status: 'PASS', is_new: true };
export const broken: Said = { status: 'ERROR', error: 'It answered 500' };
export const passed: Said = { status: 'PASS', diff_score: 0 };
export const pending: Said = { status: 'PENDING' };

export type RunSaid = {
  runType?: RunType;
  status?: RunStatus;
  metadata?: object;
  /** Other columns of the row. */
  columns?: Record<string, unknown>;
  /** By path. All viewports have the same result. */
  results: Record<string, Said>;
};

/** A run without a worker. Its rows are written directly to the database. */
export async function runOf(
  { ctx }: TestApi,
  suite: SuiteForViewer,
  { runType = 'BRANCH', status = 'COMPLETED', metadata, columns = {}, results }: RunSaid,
): Promise<{ id: string; resultIds: string[] }> {
  const waits = Object.values(results).some((said) => said.status === 'FAIL');
  const over = status !== 'PENDING' && status !== 'RUNNING';
  const entries = Object.entries(results);
  const [run] = await ctx
    .db('test_runs')
    .insert(
      await numberRuns(ctx.db, [
        {
          test_suite_id: suite.id,
          run_type: runType,
          status,
          review_state: waits && over ? 'PENDING' : 'NOT_REQUIRED',
          target_base_url: suite.baseUrl,
          config: JSON.stringify(suite.config),
          metadata: metadata === undefined ? null : JSON.stringify(metadata),
          started_at: new Date(Date.now() - 60_000),
          ended_at: over ? new Date() : null,
          total_results: entries.length * VIEWPORTS.length,
          ...(runType === 'BRANCH' ? { git_branch: `new/menu ${HOSTILE}` } : {}),
          ...columns,
        },
      ]),
    )
    .returning<{ id: string }[]>('id');
  if (run === undefined) throw new Error('No run was inserted');
  const rows = entries.flatMap(([path, said], page) =>
    VIEWPORTS.map(({ name }, viewport) => ({
      test_run_id: run.id,
      position: page * VIEWPORTS.length + viewport,
      url: suite.origin + path,
      path,
      viewport: name,
      current_file: said.status === 'FAIL' || said.status === 'PASS' ? screenshot(suite, 'ab') : null,
      ...said,
    })),
  );
  const inserted = rows.length === 0 ? [] : await ctx.db('page_results').insert(rows).returning<{ id: string }[]>('id');
  await savePageStates(ctx.db, run.id);
  return { id: run.id, resultIds: inserted.map(({ id }) => id) };
}

/** Pages at two viewports: 20% changed, 10% new, 2% errors. */
export async function largeRun(api: TestApi, suite: SuiteForViewer, pages: number): Promise<string> {
  const { ctx } = api;
  const { id } = await runOf(api, suite, { results: {} });
  await ctx.db.raw(
    `insert into site_pages (test_suite_id, owner_id, path, title, tracked)
       select :suiteId, :ownerId, '/p' || n, 'Page number ' || n, true from generate_series(1, :pages) n;`,
    { suiteId: suite.id, ownerId: suite.userId, pages },
  );
  await ctx.db.raw(
    `insert into page_results
       (test_run_id, position, url, path, viewport, status, is_new, diff_score, error, current_file)
     select :id, n * 2 + v, 'http://site.test/p' || n, '/p' || n, case v when 0 then 'desktop' else 'mobile' end,
            case when n % 50 = 0 then 'ERROR' when n % 5 = 0 then 'FAIL' else 'PASS' end,
            n % 10 = 3, case when n % 5 = 0 then (n % 97) / 3.0 else 0 end,
            case when n % 50 = 0 then 'It answered 500' end,
            case when n % 50 <> 0 then 'suites/' || :suiteId || '/' || repeat('ab', 32) || '.png' end
     from generate_series(1, :pages) n cross join generate_series(0, 1) v`,
    { id, suiteId: suite.id, pages },
  );
  await ctx
    .db('test_runs')
    .where({ id })
    .update({ total_results: pages * 2, review_state: 'PENDING' });
  await ctx.db.raw('analyze page_results');
  return id;
}

/** Settles a pending result, as a worker does. */
export async function settle({ ctx }: TestApi, resultId: string | undefined, settlement: Settlement): Promise<void> {
  const result = resultId === undefined ? null : await findResult(ctx.db, resultId);
  if (result === null || !(await settleResult(ctx, result, settlement))) throw new Error('The result was not settled');
}

export async function logLines(
  { ctx }: TestApi,
  runId: string,
  lines: { type: string; message: string; metadata?: object }[],
) {
  const last = await ctx.db('test_runs').where({ id: runId }).first<{ lastLogNumber: number }>('last_log_number');
  const first = (last?.lastLogNumber ?? 0) + 1;
  await ctx.db('test_run_logs').insert(
    lines.map(({ type, message, metadata }, place) => ({
      test_run_id: runId,
      number: first + place,
      type,
      message,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
    })),
  );
  await ctx
    .db('test_runs')
    .where({ id: runId })
    .update({ last_log_number: first + lines.length - 1 });
}
