import { afterAll, describe, expect, it } from '@jest/globals';
import { settleResult } from '../../../src/runs/page-jobs/compare-page.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { listSettledResults } from '../../../src/runs/results/list-results.ts';
import type { PageResult, SettledResult } from '../../../src/runs/results/result.ts';
import { createTestDatabase } from '../../support/database.ts';
import { cancelRun, readRun, rerunAllErrors, startRun } from '../../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
afterAll(() => database.drop());

const PASS = { status: 'PASS', diffScore: 0 } as const;

async function runningWith(pages: number): Promise<{ id: string; results: PageResult[] }> {
  const paths = Array.from({ length: pages }, (_, page) => `/${String(page).padStart(3, '0')}`);
  const suite = await newSuite(world, viewer, paths);
  const { id } = await startRun(world.ctx, viewer, suite, {});
  await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
  return { id, results: (await readRun(world.ctx, viewer, id, 'suite.read')).results };
}

const look = async (id: string, after?: number) =>
  listSettledResults(world.ctx, await getRunFor(world.ctx, viewer, id, 'suite.read'), after);
const pathsOf = (results: readonly { path: string }[]) => results.map(({ path }) => path);

describe('what came out of a run in flight', () => {
  it('is given in the order in which it came out, from the last that was seen on', async () => {
    const { id, results } = await runningWith(3);
    const [first, second, third] = results;
    if (!first || !second || !third) throw new Error('Three results were to be captured');
    expect(await look(id)).toEqual([]);
    await settleResult(world.ctx, third, { status: 'FAIL', diffScore: 1.5 });
    await settleResult(world.ctx, first, { status: 'ERROR', error: 'It answered 500' });
    expect(await look(id)).toMatchObject([
      {
        id: third.id,
        path: '/002',
        viewport: 'desktop',
        status: 'FAIL',
        diffScore: 1.5,
        error: null,
        settledNumber: 1,
      },
      { id: first.id, status: 'ERROR', error: 'It answered 500', settledNumber: 2 },
    ]);
    expect(await look(id, 2)).toEqual([]);
    await settleResult(world.ctx, second, { ...PASS, isNew: true });
    expect(await look(id, 2)).toMatchObject([{ id: second.id, isNew: true, settledNumber: 3 }]);
  });

  it('begins with the last of many, and comes in parts', async () => {
    const { id, results } = await runningWith(140);
    for (const result of results) await settleResult(world.ctx, result, PASS);
    expect(pathsOf(await look(id))).toEqual(pathsOf(results).slice(-30));
    const part = await look(id, 10);
    expect(pathsOf(part)).toEqual(pathsOf(results).slice(10, 110));
    expect(pathsOf(await look(id, part.at(-1)?.settledNumber ?? 0))).toEqual(pathsOf(results).slice(110));
  });

  it('is neither lost nor doubled while workers settle at the same time', async () => {
    const { id, results } = await runningWith(40);
    const seen: SettledResult[] = [];
    const lookOn = async () => seen.push(...(await look(id, seen.at(-1)?.settledNumber ?? 0)));
    const workers = { areDone: false };
    const settle = async () => {
      await Promise.all(results.map((result) => settleResult(world.ctx, result, PASS)));
      workers.areDone = true;
    };
    const watch = async () => {
      while (!workers.areDone) await lookOn();
    };
    await Promise.all([settle(), watch()]);
    await lookOn();
    expect(seen.map(({ settledNumber }) => settledNumber)).toEqual(results.map((_, index) => index + 1));
    expect(new Set(seen.map((result) => result.id)).size).toBe(40);
  });

  it('comes again when an error is captured again, and goes when it is cancelled meanwhile', async () => {
    const { id, results } = await runningWith(2);
    const [first, second] = results;
    if (!first || !second) throw new Error('Two results were to be captured');
    await settleResult(world.ctx, first, PASS);
    await settleResult(world.ctx, second, { status: 'ERROR', error: 'It answered 500' });
    await rerunAllErrors(world.ctx, viewer, id);
    expect(pathsOf(await look(id, 0))).toEqual(['/000']);
    await settleResult(world.ctx, second, PASS);
    expect(await look(id, 2)).toMatchObject([{ id: second.id, status: 'PASS', settledNumber: 3 }]);
    await world.db('page_results').where({ id: second.id }).update({ status: 'ERROR' });
    await rerunAllErrors(world.ctx, viewer, id);
    await cancelRun(world.ctx, viewer, id);
    expect(pathsOf(await look(id, 0))).toEqual(['/000']);
  });
});
