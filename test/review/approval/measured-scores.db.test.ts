import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { promote } from '../../../src/baselines/promote-results.ts';
import type { Context } from '../../../src/context.ts';
import { AppError } from '../../../src/errors.ts';
import { CLOCK } from '../../../src/events/event.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  approveRun,
  listBaselines,
  listVersions,
  promoteThroughApi,
  readRun,
  updateSuite,
  type RunDetail,
} from '../../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn, type OwnSuite } from '../../support/world.ts';
import {
  COMPARED,
  percentBetween,
  storeScreenshots,
  withScreenshots,
  type ScreenshotWorld,
} from '../screenshot-world.ts';

let viewer: Viewer;
let suite: OwnSuite;

const database = await createTestDatabase();
const world = await withScreenshots(worldOn(database.db));
afterAll(async () => {
  await world.remove();
  await database.drop();
});

beforeEach(async () => {
  viewer = await newViewer(world);
  suite = await seeded(['/a']);
});

const PREVIEW = { targetBaseUrl: 'http://preview.test' };

/** A suite whose pages have the screenshot `a` as version 1. */
async function seeded(paths: string[]): Promise<OwnSuite> {
  const made = await newSuite(world, viewer, paths);
  await storeScreenshots(world, made);
  await finishedRun(world, viewer, made, () => 'a');
  world.reads.length = 0;
  return made;
}

/** A run in which every page has this screenshot. */
const runOf = (letter: string): Promise<RunDetail> => finishedRun(world, viewer, suite, () => letter, PREVIEW);

const approve = (detail: RunDetail, ctx: Context = world.ctx) => approveRun(ctx, viewer, detail.run.id, {});

const letterOf = (file: string) => file.slice(-5, -4);

/** Oldest first. */
async function history() {
  const versions = await listVersions(world.ctx, suite, { path: '/a' });
  return versions
    .map(({ version, filePath, diffScore, note }) => ({
      version,
      letter: letterOf(filePath),
      diffScore,
      note,
    }))
    .toReversed();
}

const remarkOn = (version: number) => `Version ${version} was approved after this screenshot was compared.`;

/** A context whose storage does something before it reads. */
function interrupted(act: () => Promise<unknown>): ScreenshotWorld['ctx'] {
  const get: Context['storage']['get'] = async (name) => {
    await act();
    return world.storage.get(name);
  };
  return { ...world.ctx, storage: { ...world.storage, get } };
}

describe('the score of a version', () => {
  it('is against the version that it replaces, though the screenshot was compared with another', async () => {
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    expect(await approve(other)).toMatchObject({ approved: 1, appended: 1 });
    expect(await history()).toEqual([
      { version: 1, letter: 'a', diffScore: null, note: null },
      { version: 2, letter: 'b', diffScore: COMPARED, note: null },
      { version: 3, letter: 'c', diffScore: percentBetween('b', 'c'), note: remarkOn(2) },
    ]);
  });

  it('is there for the second version of a page that two runs found new', async () => {
    await world.db('site_pages').insert({ test_suite_id: suite.id, owner_id: suite.userId, path: '/n', tracked: true });
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    await approve(other);
    const scores = (await listVersions(world.ctx, suite, { path: '/n' })).map(({ diffScore }) => diffScore);
    expect(scores).toEqual([percentBetween('b', 'c'), null]);
  });

  it("goes by the suite's color threshold", async () => {
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    await updateSuite(world.ctx, viewer, suite.id, { config: { threshold: 1 } });
    await approve(other);
    expect((await history()).at(-1)).toMatchObject({ letter: 'c', diffScore: 0 });
  });

  it('is measured once for pages that show the same screenshots', async () => {
    suite = await seeded(['/a', '/b', '/c']);
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    await approve(other);
    const scores = (await listVersions(world.ctx, suite, {})).map(({ version, diffScore }) => [version, diffScore]);
    const expected = [3, 2, 1].map((version) => [
      version,
      { 3: percentBetween('b', 'c'), 2: COMPARED }[version] ?? null,
    ]);
    expect(scores).toEqual([...expected, ...expected, ...expected]);
    expect(world.reads).toEqual([screenshot(suite, 'b'), screenshot(suite, 'c')]);
  });
});

describe('approvals of one key at the same moment', () => {
  it('are scored against each other, whichever comes first', async () => {
    const runs = [await runOf('b'), await runOf('c')];
    await Promise.all(runs.map((each) => approve(each)));
    const [, second, third] = await history();
    expect(new Set([second?.letter, third?.letter])).toEqual(new Set(['b', 'c']));
    expect(second).toMatchObject({ diffScore: COMPARED, note: null });
    expect(third).toMatchObject({ diffScore: percentBetween('b', 'c'), note: remarkOn(2) });
  });

  it('number their versions without a gap or a duplicate, and each is scored against the one before it', async () => {
    const runs = [];
    for (const letter of ['b', 'c', 'd', 'e', 'f', 'g']) runs.push(await runOf(letter));
    const results = runs.splice(3).map(({ results: [result] }) => result?.id);
    await Promise.all([
      ...runs.map((each) => approve(each)),
      ...results.map((pageResultId) => promoteThroughApi(world.ctx, viewer, { pageResultId })),
    ]);
    const versions = await history();
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const scores = versions.map(({ letter }, index) => percentBetween(versions[index - 1]?.letter ?? '', letter));
    expect(versions.slice(2).map(({ diffScore }) => diffScore)).toEqual(scores.slice(2));
    const [baseline] = await listBaselines(world.ctx, suite);
    expect(baseline).toMatchObject({ currentVersion: 7 });
  });

  it('are one, when they are of one result', async () => {
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    const answers = await Promise.all([1, 2, 3].map(() => approve(other)));
    expect(answers.filter(({ appended }) => appended > 0)).toMatchObject([{ approved: 1, appended: 1 }]);
    expect(await history()).toHaveLength(3);
  });

  it('are scored against the version that came while they were measured', async () => {
    const [one, other, third] = [await runOf('b'), await runOf('c'), await runOf('e')];
    await approve(one);
    const act = async () => approve(third);
    await approve(other, interrupted(act));
    expect(await history()).toMatchObject([
      { letter: 'a' },
      { letter: 'b' },
      { letter: 'e', diffScore: percentBetween('b', 'e') },
      { version: 4, letter: 'c', diffScore: percentBetween('e', 'c'), note: remarkOn(3) },
    ]);
  });

  it('come to an end without a score where the version never stops moving', async () => {
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    let moves = 0;
    const ctx = interrupted(async () => {
      moves += 1;
      const filePath = `suites/${suite.id}/${String(moves).padStart(64, '0')}.png`;
      const restored = { path: '/a', viewport: 'desktop', filePath, source: 'API' as const, approvedById: viewer.id };
      const nothing = { testRunId: null, pageResultId: null, diffScore: null, comparedVersionId: null, prNumber: null };
      const made = {
        captureEngine: null,
        compareEngine: null,
        atRest: true,
        captureWay: null,
        elementsFile: null,
        manifestFile: null,
        heardFile: null,
      };
      await world.db.transaction((trx) =>
        promote(trx, suite, [{ ...restored, ...nothing, ...made, note: null }], CLOCK),
      );
    });
    expect(await approve(other, ctx)).toMatchObject({ approved: 1, appended: 1 });
    const versions = await history();
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
    expect(versions.at(-1)).toMatchObject({ letter: 'c', diffScore: null, note: remarkOn(versions.length - 1) });
  });
});

describe('an approval where nothing moved', () => {
  it('reads no screenshot, and asks the database as often for many results as for few', async () => {
    const queries: Record<number, number> = {};
    for (const pages of [2, 30]) {
      suite = await seeded(Array.from({ length: pages }, (_, page) => `/${page}`));
      const detail = await runOf('b');
      queries[pages] = 0;
      const count = () => {
        queries[pages] = (queries[pages] ?? 0) + 1;
      };
      world.db.on('query', count);
      expect(await approve(detail)).toMatchObject({ approved: pages, appended: pages });
      world.db.removeListener('query', count);
    }
    expect(queries[30]).toBe(queries[2]);
    expect(world.reads).toEqual([]);
  });
});

describe('a screenshot that cannot be measured', () => {
  const moved = async () => {
    const [one, other] = [await runOf('b'), await runOf('c')];
    await approve(one);
    return other;
  };

  it.each(['b', 'c'])('leaves the score open and refuses nothing when %s is missing', async (letter) => {
    const other = await moved();
    const get: Context['storage']['get'] = async (name) =>
      name === screenshot(suite, letter) ? null : world.storage.get(name);
    await approve(other, { ...world.ctx, storage: { ...world.storage, get } });
    expect((await history()).at(-1)).toEqual({ version: 3, letter: 'c', diffScore: null, note: remarkOn(2) });
  });

  it('leaves the score open when it is broken', async () => {
    const other = await moved();
    const get = async () => Buffer.from(`not a screenshot ${Math.random()}`);
    await approve(other, { ...world.ctx, storage: { ...world.storage, get } });
    expect((await history()).at(-1)).toMatchObject({ version: 3, diffScore: null, note: remarkOn(2) });
  });

  it('changes nothing while the storage is away, and is made good by asking again', async () => {
    const other = await moved();
    const before = await readRun(world.ctx, viewer, other.run.id, 'suite.read');
    const get = async () => {
      throw new AppError('unavailable', 'The image storage is unavailable right now');
    };
    const away = { ...world.ctx, storage: { ...world.storage, get } };
    await expect(approve(other, away)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await history()).toHaveLength(2);
    expect(await readRun(world.ctx, viewer, other.run.id, 'suite.read')).toEqual(before);
    await approve(other);
    expect((await history()).at(-1)).toMatchObject({ version: 3, diffScore: percentBetween('b', 'c') });
  });
});

describe('promoting through the API', () => {
  it('scores several results of one key, one after another', async () => {
    const runs = [await runOf('b'), await runOf('c'), await runOf('e')];
    for (const { results } of runs) await promoteThroughApi(world.ctx, viewer, { pageResultId: results[0]?.id });
    expect(await history()).toMatchObject([
      { letter: 'a', diffScore: null },
      { letter: 'b', diffScore: COMPARED, note: null },
      { letter: 'c', diffScore: percentBetween('b', 'c'), note: remarkOn(2) },
      { letter: 'e', diffScore: percentBetween('c', 'e'), note: remarkOn(3) },
    ]);
  });

  const restore = async (version: number, ctx: ScreenshotWorld['ctx'] = world.ctx) => {
    const versions = await listVersions(world.ctx, suite, { path: '/a' });
    return promoteThroughApi(ctx, viewer, { baselineVersionId: versions.find((each) => each.version === version)?.id });
  };

  it('scores a restored version against the one that it replaces', async () => {
    await approve(await runOf('b'));
    await approve(await runOf('c'));
    expect(await restore(1)).toMatchObject({ currentVersion: 4, filePath: screenshot(suite, 'a') });
    const restored = { letter: 'a', diffScore: percentBetween('c', 'a'), note: 'Restored from version 1' };
    expect((await history()).at(-1)).toEqual({ version: 4, ...restored });
    await restore(4);
    expect((await history()).at(-1)).toMatchObject({ version: 5, letter: 'a', diffScore: 0 });
  });

  it('says so where another version came while a restored one was measured', async () => {
    await approve(await runOf('b'));
    const late = await runOf('c');
    await restore(
      1,
      interrupted(() => approve(late)),
    );
    expect((await history()).at(-1)).toEqual({
      version: 4,
      letter: 'a',
      diffScore: percentBetween('c', 'a'),
      note: `Restored from version 1\n${remarkOn(3)}`,
    });
  });

  it('restores a version although the screenshot that it replaces is lost, but none whose own screenshot is', async () => {
    await approve(await runOf('b'));
    const without = (letter: string): ScreenshotWorld['ctx'] => ({
      ...world.ctx,
      storage: {
        ...world.storage,
        get: async (name) => (name === screenshot(suite, letter) ? null : world.storage.get(name)),
        stat: async (name) => (name === screenshot(suite, letter) ? null : world.storage.stat(name)),
      },
    });
    await expect(restore(1, without('a'))).rejects.toMatchObject({ details: { code: 'picture_missing' } });
    expect(await history()).toHaveLength(2);
    await restore(1, without('b'));
    expect((await history()).at(-1)).toMatchObject({ version: 3, letter: 'a', diffScore: null });
  });
});
