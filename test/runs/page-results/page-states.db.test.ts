import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../src/db/database.ts';
import { readPageOverview } from '../../../src/pages/page-overview-store.ts';
import { PAGE_STATES, type PageState } from '../../../src/pages/site-page.ts';
import { approveResults, unapproveResults } from '../../../src/review/approval/review-gate.ts';
import { endRun } from '../../../src/runs/end-run.ts';
import { searchPages } from '../../../src/runs/page-results/read-pages.ts';
import type { RunEnd } from '../../../src/runs/record-run-events.ts';
import { rerunEveryError } from '../../../src/runs/rerun-errors.ts';
import { findResults } from '../../../src/runs/results/result-store.ts';
import { lockRun } from '../../../src/runs/run-store.ts';
import { IN_FLIGHT } from '../../../src/runs/run.ts';
import { latestBadges } from '../../../src/web/badge.ts';
import { STATE_LABELS } from '../../../src/web/suites/page-list.ts';
import { createTestDatabase } from '../../support/database.ts';
import { numberRuns } from '../../support/number-runs.ts';
import { newSuite, newViewer, worldOn, type OwnSuite } from '../../support/world.ts';

let suite: OwnSuite;
const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
beforeEach(async () => {
  suite = await newSuite(world, viewer, ['/a', '/b']);
});
afterAll(() => database.drop());

type Said = Record<string, unknown>;
const PASS: Said = { status: 'PASS' };
const NEW: Said = { status: 'PASS', is_new: true };
const FAIL: Said = { status: 'FAIL', cause: 'CHANGE' };
const APPROVED: Said = { ...FAIL, approved: true };
const DRIFT: Said = { status: 'FAIL', cause: 'DRIFT' };
const ERROR: Said = { status: 'ERROR' };

const EVERYTHING = { text: null, status: null, tracked: null };

/** A run whose results are of the page `/a`, one at each viewport, unless they name another. */
async function runWith(results: Said[], columns: Record<string, unknown> = {}): Promise<string> {
  const [run] = await database
    .db('test_runs')
    .insert(
      await numberRuns(database.db, [
        {
          test_suite_id: suite.id,
          run_type: 'MANUAL',
          status: 'RUNNING',
          target_base_url: suite.baseUrl,
          config: JSON.stringify(suite.config),
          ...columns,
        },
      ]),
    )
    .returning<{ id: string }[]>('id');
  const id = run?.id ?? '';
  await database.db('page_results').insert(
    results.map((said, position) => ({
      test_run_id: id,
      position,
      url: `${suite.origin}/a`,
      path: '/a',
      viewport: `v${position}`,
      ...said,
    })),
  );
  return id;
}

async function finish(id: string, to: RunEnd['to'] = 'COMPLETED'): Promise<void> {
  await inTransaction(world.ctx.db, async (trx) => {
    const run = await lockRun(trx, id);
    const line = { type: 'SYSTEM' as const, message: 'Over' };
    if (run === null || !(await endRun(trx, world.ctx, run, { from: IN_FLIGHT, to, metadata: {}, line }))) {
      throw new Error('The run did not end');
    }
  });
}

/** Approves all that the run found, or undoes that. */
async function decide(id: string, by: typeof approveResults | typeof unapproveResults): Promise<void> {
  await inTransaction(world.ctx.db, async (trx) => {
    const run = await lockRun(trx, id);
    if (run !== null) await by(trx, run, await findResults(trx, id), { viewer });
  });
}

async function stateOf(path = '/a'): Promise<PageState | undefined> {
  const { states } = await readPageOverview(world.ctx.db, suite, { ...EVERYTHING, text: path });
  const found: PageState[] = [];
  for (const state of PAGE_STATES.filter((each) => states[each] > 0)) {
    const { matched } = await readPageOverview(world.ctx.db, suite, { ...EVERYTHING, text: path, state });
    if (matched > 0) found.push(state);
  }
  return found.length === 1 ? found[0] : undefined;
}

describe('the state of a page', () => {
  it.each<[PageState, Said[]]>([
    ['unchanged', [PASS, PASS]],
    ['unchanged', [PASS, NEW]],
    ['new', [NEW, NEW]],
    ['changed', [FAIL, PASS]],
    ['changed', [{ status: 'FAIL', cause: null }, APPROVED]],
    ['changed', [FAIL, NEW, DRIFT]],
    ['error', [FAIL, ERROR]],
    ['approved', [APPROVED, PASS]],
    ['approved', [APPROVED, DRIFT]],
    ['uncounted', [DRIFT, PASS]],
    ['cancelled', [PASS, { status: 'CANCELLED' }]],
  ])('is %s as its badge says: case %#', async (state, results) => {
    await finish(await runWith(results));
    expect(await stateOf()).toBe(state);
    const [page] = await searchPages(
      world.ctx,
      suite,
      { ...EVERYTHING, state },
      { descending: false, limit: 9, offset: 0 },
    );
    if (!page?.latestResult) throw new Error('The page has no latest result');
    expect(latestBadges(page.latestResult).page.label).toBe(STATE_LABELS[state]);
  });

  it('is that of the newest run that ended by itself and captured it', async () => {
    expect(await stateOf()).toBe('never');
    const first = await runWith([FAIL], { created_at: '2026-01-01' });
    expect(await stateOf()).toBe('never');
    await finish(first);
    expect(await stateOf()).toBe('changed');
    await finish(await runWith([ERROR], { run_type: 'BRANCH' }));
    await finish(await runWith([ERROR]), 'CANCELLED');
    await finish(await runWith([{ ...ERROR, path: '/b' }]));
    expect([await stateOf('/a'), await stateOf('/b')]).toEqual(['changed', 'error']);
    // One that took longer than a later one.
    await finish(await runWith([ERROR], { created_at: '2025-12-31' }));
    expect(await stateOf()).toBe('changed');
    await finish(await runWith([PASS], { created_at: '2026-02-01' }), 'FAILED');
    expect(await stateOf()).toBe('unchanged');
  });

  it('follows an approval and its undoing', async () => {
    const id = await runWith([FAIL]);
    await finish(id);
    await decide(id, approveResults);
    expect(await stateOf()).toBe('approved');
    await decide(id, unapproveResults);
    expect(await stateOf()).toBe('changed');
  });

  it('is that of the run before while errors are captured again', async () => {
    await finish(await runWith([PASS], { created_at: '2026-01-01' }));
    const id = await runWith([ERROR, PASS, { ...ERROR, path: '/b' }]);
    await finish(id);
    expect(await stateOf()).toBe('error');
    await inTransaction(world.ctx.db, async (trx) => rerunEveryError(trx, id));
    expect([await stateOf('/a'), await stateOf('/b')]).toEqual(['unchanged', 'never']);
    await database.db('page_results').where({ test_run_id: id, status: 'PENDING' }).update({ status: 'FAIL' });
    await finish(id);
    expect([await stateOf('/a'), await stateOf('/b')]).toEqual(['changed', 'changed']);
  });

  it('stays with the path when its page is deleted and found again', async () => {
    await finish(await runWith([FAIL]));
    await database.db('site_pages').where({ test_suite_id: suite.id, path: '/a' }).delete();
    await database
      .db('site_pages')
      .insert({ test_suite_id: suite.id, owner_id: suite.userId, path: '/a', tracked: true });
    expect(await stateOf()).toBe('changed');
  });
});
