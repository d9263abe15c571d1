import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { userOfJob } from '../../src/queue/enqueue.ts';
import { clearJobs, gate, until } from '../queue/fixture.ts';
import { startRun } from '../support/requests.ts';
import { newSuite, newViewer } from '../support/world.ts';
import { worldWithStorage } from './one-page.ts';
import { capturing, startHost, type OnCapture } from './slot-world.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;

beforeAll(async () => {
  world = await worldWithStorage();
});
beforeEach(async () => {
  await clearJobs(world.db);
  await world.db('test_runs').del();
});
afterAll(() => world.end());

const ONE_VIEWPORT = { viewports: [{ name: 'desktop', width: 100, height: 200 }] };

const pages = (name: string, count: number) => Array.from({ length: count }, (_, index) => `/${name}/${index}`);

/** A run of a new suite with so many pages, whose paths begin with the name. */
async function queueRun(name: string, count: number, viewer?: Awaited<ReturnType<typeof newViewer>>) {
  const owner = viewer ?? (await newViewer(world));
  const suite = await newSuite(world, owner, pages(name, count), ONE_VIEWPORT);
  const run = await startRun(world.ctx, owner, suite, {});
  return { owner, suite, run };
}

const isOver = async () => (await world.db('page_results').where({ status: 'PENDING' })).length === 0;

const nameOf = (url: string) => new URL(url).pathname.split('/')[1] ?? '';

/** Works off all runs in one thread, in slices of a page. A user who is not alone has one of two places. */
async function captureAll(onCapture: OnCapture, openPages = 2): Promise<void> {
  const host = await startHost(capturing(world, onCapture), world.url, { sliceMs: 0, openPages });
  await until(isOver);
  await host.stop();
}

it('the slots of a suite belong to its owner', async () => {
  const { owner } = await queueRun('a', 3);
  const jobs = await world.db('graphile_worker._private_jobs').select<{ flags: Record<string, true> }[]>('flags');
  expect(jobs.map(({ flags }) => userOfJob(flags))).toEqual([owner.id, owner.id]);
});

describe('one thread', () => {
  it('captures a single page at once, while the pages of fifty runs hang', async () => {
    const owner = await newViewer(world);
    for (let nth = 0; nth < 50; nth += 1) await queueRun('a', 2, owner);
    const end = gate();
    const captured: string[] = [];
    const hang: OnCapture = async ({ url }) => {
      captured.push(nameOf(url));
      if (nameOf(url) === 'a') await end.opened;
    };
    const host = await startHost(capturing(world, hang), world.url, { openPages: 4 });
    await until(() => captured.length === 3);
    const { run } = await queueRun('b', 1);
    await until(async () => (await world.db('test_runs').where({ id: run.id, status: 'COMPLETED' })).length === 1);
    expect(captured).toEqual(['a', 'a', 'a', 'b']);
    end.open();
    await host.stop();
  });

  it('goes round the suites of a user, beside other users', async () => {
    const { owner } = await queueRun('a', 4);
    await queueRun('b', 4, owner);
    await queueRun('c', 8);
    const order: string[] = [];
    await captureAll(async ({ url }) => void order.push(nameOf(url)));
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'c']);
    expect(order.filter((name) => name !== 'c').join('')).toBe('aabbaabb');
  });

  it('starves nobody for one who comes again and again', async () => {
    await queueRun('a', 12);
    const { owner } = await queueRun('b', 1);
    const order: string[] = [];
    let again = 8;
    await captureAll(async ({ url }) => {
      order.push(nameOf(url));
      if (nameOf(url) !== 'b' || again === 0) return;
      again -= 1;
      await queueRun('b', 1, owner);
    });
    expect(order.slice(0, 12).filter((name) => name === 'a').length).toBeGreaterThan(4);
    expect(order).toHaveLength(21);
  });

  it('has four pages of a preview for one of the site, where both are of one suite', async () => {
    const { owner, suite } = await queueRun('a', 20);
    await startRun(world.ctx, owner, suite, { targetBaseUrl: 'http://preview.test' });
    const types: string[] = [];
    await captureAll(async ({ url }) => void types.push(url.startsWith('http://preview') ? 'B' : 'M'));
    expect(types.slice(0, 20).join('')).toBe('BBBB'.concat('MBBBB'.repeat(3), 'M').slice(0, 20));
    expect(types.filter((type) => type === 'M')).toHaveLength(20);
  });

  it('goes on with a run, turn by turn, when another of its suite begins in the middle', async () => {
    const { owner, suite, run } = await queueRun('a', 12);
    const order: boolean[] = [];
    await captureAll(async () => {
      if (order.length === 6) await startRun(world.ctx, owner, suite, {});
      const rows = await world.db('page_results').whereNot({ test_run_id: run.id }).whereNotNull('taken_by');
      order.push(rows.length === 0);
    });
    expect(order.slice(7, 17).filter(Boolean)).toHaveLength(5);
  });
});
