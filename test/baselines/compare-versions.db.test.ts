import { afterAll, describe, expect, it } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import { blankImage, setPixel, toPng } from '../compare/random-images.ts';
import { createTestDatabase } from '../support/database.ts';
import { approveRun, compareVersions, listVersions } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn } from '../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

const before = blankImage(60, 200);
const after = blankImage(60, 200);
setPixel(after, 30, 20, [0, 0, 0, 255]);
setPixel(after, 10, 150, [0, 0, 0, 255]);
const REGIONS = [
  { x: 30, y: 20, width: 1, height: 1 },
  { x: 10, y: 150, width: 1, height: 1 },
];

/** A page with two versions, and what is needed to compare them. `reads` lists the screenshots that were read. */
async function twoVersions() {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/']);
  await finishedRun(world, viewer, suite, () => 'a');
  const { run } = await finishedRun(world, viewer, suite, () => 'b');
  await approveRun(world.ctx, viewer, run.id, {});
  const [second, first] = await listVersions(world.ctx, suite, {});
  if (first === undefined || second === undefined) throw new Error('There are not two versions');
  const screenshots = new Map([
    [screenshot(suite, 'a'), toPng(before)],
    [screenshot(suite, 'b'), toPng(after)],
  ]);
  const reads: string[] = [];
  const storage: Context['storage'] = {
    ...world.ctx.storage,
    async get(name) {
      reads.push(name);
      return screenshots.get(name) ?? null;
    },
    async put() {},
  };
  const compare = () =>
    compareVersions({ ...world.ctx, storage }, viewer, { fromVersionId: first.id, toVersionId: second.id });
  return { compare, reads, suite };
}

describe('comparing two versions', () => {
  it('tells where they differ, and keeps it', async () => {
    const { compare, reads } = await twoVersions();
    const drawn = await compare();
    expect(drawn).toMatchObject({ width: 60, height: 200, regions: REGIONS });
    expect(reads).toHaveLength(2);
    expect(await compare()).toEqual(drawn);
    expect(reads).toHaveLength(2);
  });

  it('compares again when the suite compares otherwise', async () => {
    const { compare, reads, suite } = await twoVersions();
    await compare();
    await world
      .db('test_suites')
      .where({ id: suite.id })
      .update({ config: JSON.stringify({ threshold: 0.5 }) });
    await compare();
    expect(reads).toHaveLength(4);
  });

  it('keeps the first of two comparisons that were made at the same moment', async () => {
    const { compare, suite } = await twoVersions();
    const [one, other] = await Promise.all([compare(), compare()]);
    expect(other).toEqual(one);
    const kept = await world.db('screenshot_comparisons').where({ test_suite_id: suite.id }).select('id');
    expect(kept).toHaveLength(1);
  });
});
