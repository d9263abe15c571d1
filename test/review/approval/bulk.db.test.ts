import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { undoSince } from '../../../src/review/approval/undo-approval.ts';
import { approveChanges, type Selection } from '../../../src/review/changes/approve-changes.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import type { FoundChange, PageResult } from '../../../src/runs/results/result.ts';
import { changeOf, storeChanges } from '../../support/changes.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, decide, shareSuite } from '../../support/requests.ts';
import { finishedRun, newSuite, newViewer, storedWorldOn, type OwnSuite } from '../../support/world.ts';

let ann: Viewer;
let ben: Viewer;
let suite: OwnSuite;
let runId: string;
let results: PageResult[];

const database = await createTestDatabase();
const world = storedWorldOn(database.db);
afterAll(() => database.drop());

/** `/a` has two changes, `/b` the first of these and `/c` none that is known. */
beforeEach(async () => {
  [ann, ben] = [await newViewer(world), await newViewer(world)];
  suite = await newSuite(world, ann, ['/a', '/b', '/c'], { viewports: [{ name: 'desktop', width: 800, height: 600 }] });
  await shareSuite(world.ctx, ann, suite, { userId: ben.id, role: 'REVIEWER' });
  await finishedRun(world, ann, suite, () => 'a');
  const finished = await finishedRun(world, ann, suite, () => 'b');
  ({ results } = finished);
  runId = finished.run.id;
  await storeChanges(world.db, results, { '/a': 'de', '/b': 'd' });
});

const run = async (viewer = ann) => getRunFor(world.ctx, viewer, runId, 'suite.approve');
const idOf = (path: string) => results.find((result) => result.path === path)?.id ?? '';
const change = (letter: string) => ({ key: changeOf(letter).key, variants: undefined });
const approve = async (selection: Selection) => approveChanges(world.ctx, await run(), selection);
const hold = async (path: string, viewer: Viewer) =>
  decide(world.ctx, viewer, runId, { decision: 'request_changes', note: 'No', resultIds: [idOf(path)] });
const undo = async (seen: number) => undoSince(world.ctx, await run(), { seen });

async function approved(): Promise<string> {
  const rows = await world.db('page_results').where({ test_run_id: runId, approved: true }).orderBy('position');
  return rows.map(({ path }) => String(path)).join(' ');
}
const approvedChanges = async () =>
  world
    .db('result_changes')
    .where({ test_run_id: runId })
    .whereNotNull('approved_at')
    .then(({ length }) => length);

describe('an approval in bulk', () => {
  it.each(['somebody else', 'the approver'])('leaves out what %s asked to be changed', async (who) => {
    await hold('/b', who === 'the approver' ? ann : ben);
    const everything = await approveRun(world.ctx, ann, runId, {});
    expect([everything.approved, everything.held, await approved()]).toEqual([2, 1, '/a /c']);
    const named = await approveRun(world.ctx, ann, runId, { resultIds: [idOf('/b'), idOf('/c')] });
    expect([named.approved, named.held, (await run()).changeRequests]).toEqual([0, 1, 1]);
  });

  it('of changes leaves it out as well, and says so', async () => {
    await hold('/b', ann);
    const done = await approve({ changes: [change('d'), change('e')], resultIds: [idOf('/c'), idOf('/b')] });
    expect([done.changes, done.approved, done.held, await approved()]).toEqual([2, 2, 2, '/a /c']);
    expect(await approvedChanges()).toBe(2);
  });

  it('does not take a request back, which approving the result alone does', async () => {
    await hold('/b', ann);
    await approveRun(world.ctx, ann, runId, {});
    expect((await run()).changeRequests).toBe(1);
    await decide(world.ctx, ann, runId, { decision: 'approve', resultIds: [idOf('/b')] });
    expect([(await run()).changeRequests, await approved()]).toEqual([0, '/a /b /c']);
  });

  it('says which results wait for another change', async () => {
    const done = await approve({ changes: [change('d')] });
    expect([done.approved, done.waiting, await approved()]).toEqual([1, 1, '/b']);
  });
});

describe('the approval of a change', () => {
  const judgeAgain = async (...changes: FoundChange[]) =>
    replaceChanges(world.db, { id: idOf('/a'), testRunId: runId }, changes);

  it('stays when its result is judged again, as long as it looks the same and another change is left', async () => {
    await approve({ changes: [change('d')] });
    const [before] = await world
      .db('result_changes')
      .where({ page_result_id: idOf('/a') })
      .whereNotNull('approved_at');
    await judgeAgain(changeOf('d'), changeOf('e'), changeOf('f'));
    const kept = await world
      .db('result_changes')
      .where({ page_result_id: idOf('/a') })
      .whereNotNull('approved_at');
    expect(kept).toMatchObject([{ changeKey: changeOf('d').key, approvedAt: before.approvedAt, approvedBy: ann.id }]);
    await approve({ changes: [change('e')] });
    expect(await approved()).toBe('/b');
    await judgeAgain(changeOf('d', { picture: '0'.repeat(32) }), changeOf('e'));
    expect(await approvedChanges()).toBe(2);
    await judgeAgain(changeOf('e'));
    expect([await approvedChanges(), await approved()]).toEqual([1, '/b']);
  });
});

describe('undoing what was just done', () => {
  it('takes back the approval of a change and leaves the one before it', async () => {
    await approve({ changes: [change('e')] });
    const { verdictNumber } = await run();
    await approve({ changes: [change('d')] });
    expect(await approved()).toBe('/a /b');
    await undo(verdictNumber);
    expect([await approved(), await approvedChanges()]).toEqual(['', 1]);
    await approve({ changes: [change('d')] });
    expect(await approved()).toBe('/a /b');
  });

  it('takes back a change that approved no result', async () => {
    await approve({ changes: [change('e')] });
    await undo(0);
    expect(await approvedChanges()).toBe(0);
  });

  it('takes back a request, and nothing of others', async () => {
    await decide(world.ctx, ben, runId, { decision: 'approve', resultIds: [idOf('/c')] });
    await hold('/b', ann);
    expect(await undo(0)).toMatchObject({ withdrawn: 1, undone: 0 });
    expect([await approved(), (await run()).changeRequests]).toEqual(['/c', 0]);
    expect(await undo(99)).toMatchObject({ withdrawn: 0, undone: 0 });
  });
});
