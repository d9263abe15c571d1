import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rerunErrors } from '../../support/requests.ts';
import { marked, onlyPage, onlyResult, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const region = (row: number) => ({ x: 30, y: row, width: 1, height: 1 });

describe('a result keeps where its screenshot differs', () => {
  it('as boxes in reading order, when it was compared', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    expect(await runOn(world, page, marked([150, 20]))).toMatchObject({
      status: 'FAIL',
      diffRegions: [expect.objectContaining(region(20)), expect.objectContaining(region(150))],
    });
  });

  it('also when so few pixels differ that it passes', async () => {
    const page = await onlyPage(world, { failureThreshold: 50 });
    await runOn(world, page, marked([]));
    expect(await runOn(world, page, marked([150]))).toMatchObject({
      status: 'PASS',
      diffRegions: [expect.objectContaining(region(150))],
    });
  });

  it('as none at all, when it is the same', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([7]));
    expect(await runOn(world, page, marked([7]))).toMatchObject({ status: 'PASS', diffRegions: [] });
  });

  it('not, when it is new and was compared with nothing', async () => {
    const page = await onlyPage(world);
    expect(await runOn(world, page, marked([7]))).toMatchObject({ isNew: true, diffRegions: null });
  });

  it('no longer, when it is taken again', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, marked([]));
    const { id, testRunId, url } = await runOn(world, page, marked([20]));
    await world.db('page_results').where({ id }).update({ status: 'ERROR' });
    await rerunErrors(world.ctx, page.viewer, testRunId, { url });
    expect(await onlyResult(world, page.viewer, testRunId)).toMatchObject({
      status: 'PENDING',
      diffScore: null,
      diffRegions: null,
    });
  });
});
