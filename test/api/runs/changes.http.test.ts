import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { changeOf, storeChanges } from '../../support/changes.ts';
import { finishedRun, newSuite, screenshot, type World } from '../../support/world.ts';
import { halfBlack, worldOf } from '../fixture.ts';

const PATHS = ['/a', '/b', '/c'];

let api: TestApi;
let world: World;
let owner: Account;
let suite: SuiteForViewer;
let runId: string;
let results: PageResult[];

beforeAll(async () => {
  api = await startTestApi();
  world = worldOf(api);
  owner = await api.account('owner');
});

afterAll(async () => {
  await api.stop();
});

beforeEach(async () => {
  suite = await newSuite(world, owner.user, PATHS);
  await api.ctx.storage.put(screenshot(suite, 'a'), halfBlack(0));
  await api.ctx.storage.put(screenshot(suite, 'b'), halfBlack(4));
  await finishedRun(world, owner.user, suite, () => 'a');
  const finished = await finishedRun(world, owner.user, suite, () => 'b');
  ({ results } = finished);
  runId = finished.run.id;
  await storeChanges(world.db, results, { '/a': 'de', '/b': 'd', '/c': 'f' });
});

const list = (query = '') => api.request('GET', `/api/test-runs/${runId}/changes${query}`, { token: owner.token });
const approve = (letter: string, run = runId) =>
  api.request('POST', `/api/test-runs/${run}/changes/${letter.repeat(32)}/approve`, { token: owner.token });

async function approvedPaths(): Promise<string[]> {
  const { body } = await api.request('GET', `/api/test-runs/${runId}`, { token: owner.token });
  const approved = body.pageResults.filter((result: PageResult) => result.approved);
  return [...new Set<string>(approved.map(({ path }: PageResult) => path))].toSorted();
}

const states = (changes: { element: string; state: string }[]) =>
  Object.fromEntries(changes.map(({ element, state }) => [element, state]));

describe('the changes of a run', () => {
  it('are one for each cause, those of the most results first', async () => {
    const viewports = suite.config.viewports.map(({ name }) => name).toSorted();
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.map(({ id, pages, count }: any) => [id[0], pages, count])).toEqual([
      ['d', ['/a', '/b'], 2 * viewports.length],
      ['e', ['/a'], viewports.length],
      ['f', ['/c'], viewports.length],
    ]);
    expect(body[0]).toMatchObject({
      kind: 'RESTYLED',
      element: 'header.d',
      summary: 'background #ffffff → #000000',
      before: 'background: #ffffff',
      after: 'background: #000000',
      viewports,
      state: 'PENDING',
      faint: false,
    });
  });

  it('may be of texts that a script wrote, with any characters', async () => {
    const [first] = results.filter(({ path }) => path === '/c');
    const told = { element: 'p\0', summary: 'text', before: 'a\0', after: '\0b' };
    if (first !== undefined) await replaceChanges(world.db, first, [{ ...changeOf('9'), ...told }]);
    const change = (await list()).body.find(({ id }: { id: string }) => id.startsWith('9'));
    expect(change).toMatchObject({ element: 'p\uFFFD', before: 'a\uFFFD', after: '\uFFFDb' });
  });

  it('come in parts, each with the address of the next one', async () => {
    const first = await list('?limit=2');
    expect(first.body).toHaveLength(2);
    const [, next] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await api.request('GET', new URL(next ?? '').pathname + new URL(next ?? '').search, {
      token: owner.token,
    });
    expect(second.body.map(({ element }: any) => element)).toEqual(['header.f']);
    expect(second.headers.get('link')).toBeNull();
    expect((await list('?cursor=x')).status).toBe(400);
    expect((await list('?limit=0')).status).toBe(400);
  });

  it('come last when they are faint, and not at all when another cause explains the result', async () => {
    const [first] = results.filter(({ path }) => path === '/a');
    const others = results.filter(({ path }) => path !== '/a');
    if (first === undefined) throw new Error('no result');
    for (const result of results) await replaceChanges(world.db, result, [changeOf('d', { faint: true })]);
    await replaceChanges(world.db, first, [changeOf('e')]);
    expect((await list()).body.map(({ element }: any) => element)).toEqual(['header.e', 'header.d']);
    await world
      .db('page_results')
      .whereIn(
        'id',
        others.map(({ id }) => id),
      )
      .update({ cause: 'DRIFT' });
    const { body } = await list();
    expect(body.find(({ element }: any) => element === 'header.d')?.pages).not.toEqual(['/b', '/c']);
  });

  it('show the element before and after to those who may read the suite', async () => {
    const { body } = await list();
    const { beforeCrop, afterCrop } = body[0];
    const [before, after] = [new URL(beforeCrop), new URL(afterCrop)];
    expect(before.pathname).toBe(`/files/${screenshot(suite, 'a')}`);
    const answer = await api.request('GET', after.pathname + after.search, { token: owner.token });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const stranger = await api.account();
    const refused = await api.request('GET', after.pathname + after.search, { token: stranger.token });
    expect(refused.status).toBe(404);
    const elsewhere = await api.request('GET', before.pathname + after.search.replace(/.$/, 'g'), {
      token: owner.token,
    });
    expect(elsewhere.status).toBe(404);
  });
});

/** `/b` shows the change of `/a` as another picture. */
async function vary(letter = '1'): Promise<void> {
  for (const result of results.filter(({ path }) => path === '/b')) {
    await replaceChanges(world.db, result, [changeOf('d', { picture: letter.repeat(32) })]);
  }
}

const variantsOf = async (letter: string) => {
  const { body } = await list();
  const change = body.find(({ element }: any) => element === `header.${letter}`);
  return { count: change.variantCount, variants: change.variants };
};
const approveVariants = (variants: string[]) =>
  api.request('POST', `/api/test-runs/${runId}/changes/${'d'.repeat(32)}/approve`, {
    token: owner.token,
    body: { variants },
  });

describe('the variants of a change', () => {
  it('are one where all pages look the same, with what it looks like at each viewport', async () => {
    const { count, variants } = await variantsOf('d');
    expect(count).toBe(1);
    const viewports = suite.config.viewports.map(({ name }) => name);
    expect(variants).toMatchObject([{ pages: ['/a', '/b'], viewports, count: 2 * viewports.length, state: 'PENDING' }]);
    expect(variants[0].pictures.map(({ viewport }: any) => viewport)).toEqual(viewports);
    expect(variants[0].beforeCrop).toBe(variants[0].pictures[0].beforeCrop);
  });

  it('are told each with its pages, and cut out of both screenshots', async () => {
    await vary();
    const { count, variants } = await variantsOf('d');
    expect([count, variants.map(({ pages }: any) => pages)]).toEqual([2, [['/a'], ['/b']]]);
    const { body } = await api.request('GET', `/api/test-runs/${runId}/changes/${'d'.repeat(32)}/variants`, {
      token: owner.token,
    });
    expect(body).toEqual(variants);
    for (const address of [body[1].beforeCrop, body[1].afterCrop]) {
      const { pathname, search } = new URL(address);
      const crop = await api.request('GET', pathname + search, { token: owner.token });
      expect([crop.status, crop.headers.get('content-type')]).toEqual([200, 'image/webp']);
    }
  });
});

describe('approving a change in several variants', () => {
  it('is refused while none are named, and says which there are', async () => {
    await vary();
    const { status, body } = await approve('d');
    expect([status, body.error]).toEqual([
      409,
      'The change comes in 2 variants. Look at them, and name those to approve',
    ]);
    const { variants } = await variantsOf('d');
    expect(body.details).toMatchObject({
      code: 'several_variants',
      variantCount: 2,
      variants: variants.map(({ id, count, pages }: any) => ({ id, count, pages: pages.length })),
    });
    expect(await approvedPaths()).toEqual([]);
  });

  it('approves those that are named, and no other that came meanwhile', async () => {
    await vary();
    const { variants } = await variantsOf('d');
    const ids = variants.map(({ id }: any) => id);
    for (const result of results.filter(({ path }) => path === '/c')) {
      await replaceChanges(world.db, result, [changeOf('d', { picture: '2'.repeat(32) })]);
    }
    expect((await approveVariants(ids)).status).toBe(200);
    expect(await approvedPaths()).toEqual(['/b']);
    expect((await variantsOf('d')).variants.map(({ state }: any) => state)).toEqual([
      'PENDING',
      'APPROVED',
      'APPROVED',
    ]);
  });

  it('is refused where one is no longer there', async () => {
    await vary();
    const ids = (await variantsOf('d')).variants.map(({ id }: any) => id);
    await vary('3');
    const { status, body } = await approveVariants(ids);
    expect([status, body.details.code]).toEqual([409, 'not_as_shown']);
    expect((await approveVariants(['x'])).status).toBe(400);
    expect((await approveVariants([])).status).toBe(400);
    expect(await approvedPaths()).toEqual([]);
  });

  it('leaves it to a program to approve results whatever they look like', async () => {
    await vary();
    await api.request('POST', `/api/test-runs/${runId}/approve-visuals`, { token: owner.token, body: {} });
    expect(await approvedPaths()).toEqual(['/a', '/b', '/c']);
  });
});

describe('approving a change', () => {
  it('approves each result with the last of its changes', async () => {
    const first = await approve('d');
    expect([first.status, first.body.approved]).toEqual([200, results.filter(({ path }) => path === '/b').length]);
    expect(await approvedPaths()).toEqual(['/b']);
    expect(states((await list()).body)).toEqual({
      'header.d': 'APPROVED',
      'header.e': 'PENDING',
      'header.f': 'PENDING',
    });
    await approve('e');
    expect(await approvedPaths()).toEqual(['/a', '/b']);
    await approve('f');
    const { body } = await api.request('GET', `/api/test-runs/${runId}`, { token: owner.token });
    expect(body.reviewState).toBe('APPROVED');
  });

  it('makes the approved screenshots baselines, as any approval does', async () => {
    await approve('d');
    const { body } = await api.request('GET', `/api/baselines?testSuiteId=${suite.id}`, { token: owner.token });
    const files = body.map(({ path, filePath }: any) => [path, filePath.includes('bbbb')]);
    expect(new Map(files)).toEqual(
      new Map([
        ['/a', false],
        ['/b', true],
        ['/c', false],
      ]),
    );
  });

  it('is done where the results are approved one by one', async () => {
    const resultIds = results.filter(({ path }) => path === '/a').map(({ id }) => id);
    await api.request('POST', `/api/test-runs/${runId}/approve-visuals`, { token: owner.token, body: { resultIds } });
    expect(states((await list()).body)).toEqual({
      'header.d': 'PENDING',
      'header.e': 'APPROVED',
      'header.f': 'PENDING',
    });
  });

  it('is refused for what is not there, and by what is not an ID', async () => {
    expect((await approve('0')).status).toBe(404);
    expect((await approve('x')).status).toBe(400);
    const other = await finishedRun(world, owner.user, suite, () => 'c');
    expect((await approve('d', other.run.id)).status).toBe(404);
    expect((await api.request('POST', `/api/test-runs/${runId}/changes/${'d'.repeat(32)}/approve`, {})).status).toBe(
      401,
    );
  });
});
