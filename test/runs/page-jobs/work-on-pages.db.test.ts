import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS } from '../../../src/runs/page-jobs/page-work.ts';
import { captureSuite } from '../../../src/runs/page-jobs/work-on-pages.ts';
import { clearJobs, gate, jobsIn, until } from '../../queue/fixture.ts';
import { cancelRun, startRun, updateSuite } from '../../support/requests.ts';
import { newSuite, newViewer } from '../../support/world.ts';
import { worldWithStorage } from '../one-page.ts';
import { capturing, maintainPages, startHost } from '../slot-world.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;

beforeAll(async () => {
  world = await worldWithStorage();
});
beforeEach(async () => {
  await clearJobs(world.db);
  await world.db('test_runs').del();
});
afterAll(() => world.end());

const DESKTOP = { name: 'desktop', width: 100, height: 200 };
const MOBILE = { name: 'mobile', width: 50, height: 100 };

async function queueRun(paths: string[], screenshotConcurrency = 1, viewports = [DESKTOP]) {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, paths, { screenshotConcurrency, viewports });
  const { id } = await startRun(world.ctx, viewer, suite, {});
  return { viewer, suite, id };
}

const results = async () => world.db('page_results').orderBy('position').select();
const statuses = async () => (await results()).map(({ path, status }) => `${path} ${status}`);
const ended = async (id: string) => (await world.db('test_runs').where({ id }).whereNotNull('ended_at')).length === 1;
const pathOf = (url: string) => new URL(url).pathname;

/** What has waited for its time is due. */
const letTimePass = async () => world.db('page_results').update({ due_at: null });

/** As if a worker had taken all pages and died: nobody is at work on its job. */
const pretendTaken = async () =>
  world.db('page_results').where({ status: 'PENDING' }).update({ taken_by: '999999999' });

describe('the slots of a suite', () => {
  it('capture each page of a run once, at each viewport, and are gone when it is over', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    const { id } = await queueRun(paths, 3, [DESKTOP, MOBILE]);
    const captured: string[] = [];
    const host = await startHost(
      capturing(world, async ({ url, viewport }) => void captured.push(`${pathOf(url)} ${viewport.width}`)),
      world.url,
    );
    await until(() => ended(id));
    await until(async () => (await jobsIn(world.db)).length === 0);
    await host.stop();
    expect(captured.toSorted()).toEqual(paths.flatMap((path) => [`${path} 100`, `${path} 50`]));
    expect((await results()).every(({ takenBy }) => takenBy === null)).toBe(true);
  });

  it('let one page load at a time, and begin the next while that one waits for rest', async () => {
    const { id } = await queueRun(['/a', '/b', '/c']);
    const rest = gate();
    const loading = gate();
    let [loads, mostLoads, resting] = [0, 0, 0];
    const ctx = capturing(world, async ({ url, takeTurn }) => {
      const loaded = await takeTurn?.();
      loads += 1;
      mostLoads = Math.max(mostLoads, loads);
      if (pathOf(url) === '/c') await loading.opened;
      loads -= 1;
      loaded?.();
      loaded?.();
      resting += 1;
      await rest.opened;
    });
    const host = await startHost(ctx, world.url, { openPages: 4 });
    await until(() => resting === 2 && loads === 1);
    loading.open();
    await until(() => resting === 3);
    expect(await statuses()).toEqual(['/a PENDING', '/b PENDING', '/c PENDING']);
    rest.open();
    await until(() => ended(id));
    await host.stop();
    expect(mostLoads).toBe(1);
  });

  it.each([
    ['beside it, if there is a place', 4, 2],
    ['after it, if there is none', 1, 1],
  ])('begin with the next viewport of a page that waits for rest %s', async (_when, openPages, together) => {
    const { id } = await queueRun(['/a'], 1, [DESKTOP, MOBILE]);
    const rest = gate();
    let [resting, most] = [0, 0];
    const ctx = capturing(world, async ({ takeTurn, series }) => {
      const loaded = await takeTurn?.();
      series?.onWait?.();
      loaded?.();
      resting += 1;
      most = Math.max(most, resting);
      await rest.opened;
      resting -= 1;
    });
    const host = await startHost(ctx, world.url, { openPages });
    await until(() => resting === together);
    rest.open();
    await until(() => ended(id));
    await host.stop();
    expect({ most, statuses: await statuses() }).toEqual({ most: together, statuses: ['/a PASS', '/a PASS'] });
  });

  it('are never more than the suite may have, over several hosts and runs', async () => {
    const { viewer, suite } = await queueRun(
      Array.from({ length: 12 }, (_, index) => `/${index}`),
      2,
    );
    await startRun(world.ctx, viewer, suite, { targetBaseUrl: 'http://preview.test' });
    let [loads, mostLoads] = [0, 0];
    const ctx = capturing(world, async ({ takeTurn }) => {
      const loaded = await takeTurn?.();
      loads += 1;
      mostLoads = Math.max(mostLoads, loads);
      for (let nth = 0; nth < 20; nth += 1) await world.db.raw('select 1');
      loads -= 1;
      loaded?.();
    });
    const hosts = await Promise.all([1, 2, 3].map(async () => startHost(ctx, world.url, { sliceMs: 0 })));
    await until(async () => (await world.db('test_runs').whereNull('ended_at')).length === 0);
    await Promise.all(hosts.map(async (host) => host.stop()));
    expect(mostLoads).toBe(2);
  });

  it('are never more than a run may have, though an earlier one had more', async () => {
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`);
    const { viewer, suite, id } = await queueRun(paths, 4);
    const [begun, lowered] = [gate(), gate()];
    let [loads, mostLoads, isLowered] = [0, 0, false];
    const ctx = capturing(world, async ({ takeTurn }) => {
      const loaded = await takeTurn?.();
      loads += 1;
      if (isLowered) {
        mostLoads = Math.max(mostLoads, loads);
        for (let nth = 0; nth < 20; nth += 1) await world.db.raw('select 1');
      } else {
        if (loads === 4) begun.open();
        await lowered.opened;
      }
      loads -= 1;
      loaded?.();
    });
    const host = await startHost(ctx, world.url, { openPages: 8 });
    await begun.opened;
    await cancelRun(world.ctx, viewer, id);
    await updateSuite(world.ctx, viewer, suite.id, { config: { screenshotConcurrency: 1 } });
    const next = await startRun(world.ctx, viewer, suite, {});
    isLowered = true;
    lowered.open();
    await until(() => ended(next.id));
    await host.stop();
    expect(mostLoads).toBe(1);
  });

  it('give a place back for which they could take no page', async () => {
    const { suite } = await queueRun(['/a', '/b']);
    const failed = gate();
    const ctx = capturing(world, async ({ takeTurn }) => {
      (await takeTurn?.())?.();
      await failed.opened;
    });
    let takes = 0;
    const raw = (sql: string, bindings: Record<string, string>) => {
      if (sql.includes('next_page')) takes += 1;
      if (takes < 2) return world.db.raw(sql, bindings);
      failed.open();
      throw new Error('the connection broke');
    };
    const db = new Proxy(world.db, { get: (from, name) => (name === 'raw' ? raw : Reflect.get(from, name)) });
    let places = 0;
    const takePlace = () => {
      places += 1;
      return () => void (places -= 1);
    };
    const { signal } = new AbortController();
    const job = { id: '1', attempt: 1, signal, takePlace, isClosing: () => false };
    const working = captureSuite(
      { ...ctx, db },
      { suiteId: suite.id, slot: 0 },
      {
        ...job,
        part: async (_of, work) => work(signal),
      },
    );
    await expect(working).rejects.toThrow('the connection broke');
    expect({ takes, places }).toEqual({ takes: 2, places: 0 });
  });

  it('miss no run that starts in the moment in which they end', async () => {
    const { viewer, suite, id } = await queueRun(['/a']);
    const host = await startHost(
      capturing(world, async () => {}),
      world.url,
    );
    await until(() => ended(id));
    for (let nth = 0; nth < 15; nth += 1) {
      const next = await startRun(world.ctx, viewer, suite, {});
      await until(
        async () => (await world.db('page_results').where({ test_run_id: next.id, status: 'PENDING' })).length === 0,
      );
    }
    await host.stop();
    expect(await world.db('page_results').where({ status: 'PENDING' })).toEqual([]);
  });

  it('have no more to do when the run was cancelled', async () => {
    const { viewer, id } = await queueRun(['/a', '/b']);
    const begun = gate();
    const captured: string[] = [];
    const ctx = capturing(world, async ({ url }, isOver) => {
      captured.push(pathOf(url));
      begun.open();
      await until(isOver);
    });
    const host = await startHost(ctx, world.url);
    await begun.opened;
    await cancelRun(world.ctx, viewer, id);
    await until(async () => (await jobsIn(world.db)).every(({ name }) => name !== 'capture-suite'));
    await host.stop();
    expect(await statuses()).toEqual(['/a CANCELLED', '/b CANCELLED']);
    expect(captured.length).toBeLessThan(3);
  });
});

describe('a page', () => {
  it('that fails is tried again and given up in the end, and the others are done', async () => {
    const { id } = await queueRun(['/bad', '/good']);
    const attempts: string[] = [];
    const ctx = capturing(world, async ({ url }) => {
      attempts.push(pathOf(url));
      if (pathOf(url) === '/bad') throw new Error('out of paper');
    });
    const host = await startHost(ctx, world.url);
    await until(async () => {
      await letTimePass();
      await maintainPages(ctx);
      return ended(id);
    });
    await host.stop();
    expect(await statuses()).toEqual(['/bad ERROR', '/good PASS']);
    expect((await results())[0]).toMatchObject({
      error: 'The page could not be captured because the worker failed on every attempt',
    });
    expect(attempts.filter((path) => path === '/bad')).toHaveLength(MAX_ATTEMPTS);
    expect(attempts.filter((path) => path === '/good')).toHaveLength(1);
  });

  it('goes back at no cost when its worker stops, and is captured by the next', async () => {
    const { id } = await queueRun(['/a']);
    const begun = gate();
    const first = await startHost(
      capturing(world, async (_request, isOver) => {
        begun.open();
        await until(isOver);
        throw new Error('aborted');
      }),
      world.url,
    );
    await begun.opened;
    await first.stop();
    expect((await results())[0]).toMatchObject({ takenBy: null, attempts: 0, deaths: 0 });
    const second = await startHost(
      capturing(world, async () => {}),
      world.url,
    );
    await until(() => ended(id));
    await second.stop();
    expect(await statuses()).toEqual(['/a PASS']);
  });

  it('is free again when its worker has died, at no cost over twenty deaths, and then given up', async () => {
    const { id } = await queueRun(['/a']);
    await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
    const costs: number[] = [];
    for (let death = 1; death <= 24; death += 1) {
      await pretendTaken();
      await maintainPages(world.ctx);
      costs.push(...(await results()).map(({ takenBy, attempts }) => (takenBy === null ? attempts : -1)));
    }
    expect(costs).toEqual([...Array.from({ length: 20 }, () => 0), 1, 2, 3, 4]);
    await pretendTaken();
    await maintainPages(world.ctx);
    expect(await statuses()).toEqual(['/a ERROR']);
  });

  it('that was lost has a slot again, though all had ended', async () => {
    const { id } = await queueRun(['/a', '/b']);
    await pretendTaken();
    await clearJobs(world.db);
    const ctx = capturing(world, async () => {});
    const host = await startHost(ctx, world.url);
    await maintainPages(ctx);
    await letTimePass();
    await until(() => ended(id));
    await host.stop();
    expect(await statuses()).toEqual(['/a PASS', '/b PASS']);
  });
});
