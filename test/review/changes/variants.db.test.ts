import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { approveRun } from '../../../src/review/approval/approve-run.ts';
import { approveChanges, type ChangeToApprove } from '../../../src/review/changes/approve-changes.ts';
import { listChanges, listVariantsAfter } from '../../../src/review/changes/list-changes.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { changeOf } from '../../support/changes.ts';
import { createTestDatabase } from '../../support/database.ts';
import { finishedRun, newSuite, newViewer, storedWorldOn, type OwnSuite } from '../../support/world.ts';

const PATHS = ['/a', '/b', '/c', '/d'];
const VIEWPORTS = [
  { name: 'desktop', width: 800, height: 600 },
  { name: 'mobile', width: 400, height: 600 },
];
const KEY = changeOf('d').key;

let viewer: Viewer;
let suite: OwnSuite;
let runId: string;
let results: PageResult[];

const database = await createTestDatabase();
const world = storedWorldOn(database.db);
afterAll(() => database.drop());

beforeEach(async () => {
  viewer = await newViewer(world);
  suite = await newSuite(world, viewer, PATHS, { viewports: VIEWPORTS });
  await finishedRun(world, viewer, suite, () => 'a');
  const finished = await finishedRun(world, viewer, suite, () => 'b');
  ({ results } = finished);
  runId = finished.run.id;
  await show(() => 'a');
});

const picture = (letter: string) => letter.repeat(32);

/** Says what the change looks like in each result: a letter. Null: a result from before pictures were stored. */
async function show(look: (place: { path: string; viewport: string }) => string | null): Promise<void> {
  for (const result of results) {
    const letter = look(result);
    await replaceChanges(world.db, result, [changeOf('d', { picture: picture(letter ?? '0') })]);
    if (letter === null)
      await world.db('result_changes').where({ page_result_id: result.id }).update({ picture: null });
  }
}

const run = async () => getRunFor(world.ctx, viewer, runId, 'suite.approve');
const group = async () => {
  const { groups } = await listChanges(world.ctx, { id: runId }, { limit: 10 }, 60);
  const [first] = groups;
  if (first === undefined || groups.length > 1) throw new Error(`${groups.length} groups`);
  return first;
};
const pagesOf = async () => (await group()).variants.map(({ paths }) => paths.join(' '));
const idOf = async (path: string): Promise<string> => {
  const found = (await group()).variants.find(({ paths }) => paths.includes(path));
  if (found === undefined) throw new Error(`no variant on ${path}`);
  return found.id;
};

async function approvedPlaces(): Promise<string[]> {
  const rows = await world
    .db('page_results')
    .where({ test_run_id: runId, approved: true })
    .orderBy('position')
    .select('path', 'viewport');
  return rows.map(({ path, viewport }) => `${path} ${viewport}`);
}
const everywhere = (...paths: string[]) => paths.flatMap((path) => VIEWPORTS.map(({ name }) => `${path} ${name}`));

const approve = async (variants: string[] | undefined, changes: ChangeToApprove[] = [{ key: KEY, variants }]) =>
  approveChanges(world.ctx, await run(), { changes });
const codeOf = (code: string) => expect.objectContaining({ details: expect.objectContaining({ code }) });

describe('the variants of a change', () => {
  it('are one where it looks the same on all pages, whatever it looks like at another viewport', async () => {
    await show(({ viewport }) => (viewport === 'mobile' ? 'b' : 'a'));
    const { variantCount, variants } = await group();
    expect(variantCount).toBe(1);
    expect(variants).toMatchObject([
      { paths: PATHS, viewports: ['desktop', 'mobile'], count: 8, pending: 8, occurrences: { length: 8 } },
    ]);
    expect(variants[0]?.pictures.map(({ path, viewport }) => [path, viewport])).toEqual([
      ['/a', 'desktop'],
      ['/a', 'mobile'],
    ]);
  });

  it('are told apart by a single viewport, those of the most results first', async () => {
    await show(({ path, viewport }) => (path === '/b' && viewport === 'mobile' ? 'c' : path === '/d' ? 'f' : 'a'));
    expect(await pagesOf()).toEqual(['/a /c', '/b', '/d']);
  });

  it('are each by itself where nobody knows what they look like', async () => {
    await show(({ path }) => (path === '/a' ? null : 'a'));
    expect(await pagesOf()).toEqual(['/b /c /d', '/a']);
    await show(() => null);
    expect(await pagesOf()).toEqual(PATHS);
  });

  it('have ids that stay, of one group only', async () => {
    const before = await idOf('/a');
    await show(({ path }) => (path === '/d' ? 'b' : 'a'));
    expect(await idOf('/a')).toBe(before);
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    await replaceChanges(world.db, result, [changeOf('d'), changeOf('e', { picture: picture('d') })]);
    const { groups } = await listChanges(world.ctx, { id: runId }, { limit: 10 }, 60);
    const ids = groups.flatMap(({ variants }) => variants.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are listed in parts, those that wait first', async () => {
    await show(({ path }) => path.slice(1));
    await approve([await idOf('/a')]);
    const list = async (after: Parameters<typeof listVariantsAfter>[3]['after']) =>
      listVariantsAfter(world.ctx, { id: runId }, KEY, { limit: 3, after });
    const first = await list(null);
    expect(first.items.map(({ paths }) => paths)).toEqual([['/b'], ['/c'], ['/d']]);
    const second = await list(first.next);
    expect([second.items.map(({ paths }) => paths), second.next]).toEqual([[['/a']], null]);
    await expect(listVariantsAfter(world.ctx, { id: runId }, picture('0'), { limit: 3, after: null })).rejects.toThrow(
      'Change not found',
    );
  });
});

describe('approving a change', () => {
  it('needs no variant to be named where there is one', async () => {
    expect(await approve(undefined)).toMatchObject({ changes: 8, approved: 8 });
  });

  it('needs those that were shown to be named where there are several', async () => {
    await show(({ path }) => (path === '/b' ? 'c' : 'a'));
    await expect(approve(undefined)).rejects.toEqual(codeOf('several_variants'));
    expect(await approvedPlaces()).toEqual([]);
    expect(await approve([await idOf('/a')])).toMatchObject({ changes: 6, approved: 6 });
    expect(await approvedPlaces()).toEqual(everywhere('/a', '/c', '/d'));
    expect(await approve([await idOf('/b')])).toMatchObject({ changes: 2, approved: 2 });
  });

  it('leaves out what came meanwhile', async () => {
    await show(({ path }) => (path === '/b' ? 'c' : 'a'));
    const shown = [await idOf('/a'), await idOf('/b')];
    await show(({ path }) => (path === '/b' ? 'c' : path === '/d' ? 'f' : 'a'));
    await approve(shown);
    expect(await approvedPlaces()).toEqual(everywhere('/a', '/b', '/c'));
  });

  it('is refused where a variant is no longer there, or of another change', async () => {
    const shown = [await idOf('/a')];
    await show(() => 'f');
    await expect(approve(shown)).rejects.toEqual(codeOf('not_as_shown'));
    expect(await approvedPlaces()).toEqual([]);
  });
});

describe('approving all results', () => {
  const approveAll = async (shown: string[] | undefined) => approveRun(world.ctx, await run(), { shown });

  it('leaves out the variants that were not shown', async () => {
    await show(({ path }) => (path === '/b' ? 'c' : path === '/d' ? 'f' : 'a'));
    expect(await approveAll([await idOf('/a'), await idOf('/b')])).toMatchObject({ approved: 6, notShown: 2 });
    expect(await approvedPlaces()).toEqual(everywhere('/a', '/b', '/c'));
    expect(await approveAll([])).toMatchObject({ approved: 0, notShown: 2 });
    expect(await approveAll([await idOf('/d')])).toMatchObject({ approved: 2, notShown: 0 });
  });

  it('leaves out a change that was not shown also where it looks the same everywhere', async () => {
    expect(await approveAll([])).toMatchObject({ approved: 0, notShown: 8 });
    expect(await approveAll([await idOf('/a')])).toMatchObject({ approved: 8, notShown: 0 });
  });

  it('covers what no change is known of', async () => {
    const ids = results.filter(({ path }) => path === '/b').map(({ id }) => id);
    await world.db('result_changes').whereIn('page_result_id', ids).delete();
    expect(await approveAll([])).toMatchObject({ approved: 2, notShown: 6 });
  });

  it('covers all of it where a program says so', async () => {
    await show(({ path }) => path.slice(1));
    expect(await approveAll(undefined)).toMatchObject({ approved: 8, notShown: 0 });
  });
});
