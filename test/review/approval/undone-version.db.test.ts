import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, decide, shareSuite, undoApproval } from '../../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn, type OwnSuite } from '../../support/world.ts';

let ann: Viewer;
let ben: Viewer;
let suite: OwnSuite;

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

beforeEach(async () => {
  [ann, ben] = [await newViewer(world), await newViewer(world)];
  suite = await newSuite(world, ann, ['/a']);
  await shareSuite(world.ctx, ann, suite, { userId: ben.id, role: 'REVIEWER' });
});

const runOf = (letter: string) => finishedRun(world, ann, suite, () => letter);

describe('the version that an undo adds', () => {
  it('shows what the one before showed, and says who undid what', async () => {
    const { run: first } = await runOf('a');
    const before = { captureEngine: 'chromium 1', compareEngine: 'pixelmatch 1', atRest: true, elementsFile: 'map' };
    const ofSuite = { test_suite_id: suite.id };
    await world.db('baseline_versions').where(ofSuite).update({
      capture_engine: before.captureEngine,
      compare_engine: before.compareEngine,
      at_rest: before.atRest,
      elements_file: before.elementsFile,
    });
    const { run, results } = await runOf('b');
    await approveRun(world.ctx, ann, run.id, {});
    await undoApproval(world.ctx, ben, run.id, {});
    const [, approved, restored] = await world.db('baseline_versions').where(ofSuite).orderBy('version').select('*');
    expect(restored).toMatchObject({
      ...before,
      version: 3,
      source: 'API',
      filePath: screenshot(suite, 'a'),
      approvedBy: ben.id,
      note: 'Undid the approval of version 2. Restored from version 1',
      restoredVersion: 1,
      undoneResultId: results[0]?.id,
      diffScore: approved?.diffScore,
      testRunId: first.id,
      pageResultId: null,
      prNumber: null,
    });
  });
});

describe('an undo that comes too late says why', () => {
  const undo = (runId: string) => undoApproval(world.ctx, ann, runId, {});

  it('when a later run was compared with what was approved', async () => {
    await runOf('a');
    const { run } = await runOf('b');
    await approveRun(world.ctx, ann, run.id, {});
    await runOf('c');
    await expect(undo(run.id)).rejects.toThrow(
      'A later run was already compared with the approved screenshots, so the approval cannot be undone. Restore an earlier version from the page history instead.',
    );
  });

  it('when that was replaced', async () => {
    await runOf('a');
    const { run } = await runOf('b');
    await approveRun(world.ctx, ann, run.id, {});
    await approveRun(world.ctx, ann, (await runOf('c')).run.id, {});
    await expect(undo(run.id)).rejects.toThrow(
      'A newer baseline version has replaced the approved screenshots, so the approval cannot be undone. Restore an earlier version from the page history instead.',
    );
  });
});

describe('a decision that would overrule another one', () => {
  it.each([
    ['approved', 'request_changes', ['approve']],
    ['requested changes', 'approve', ['request_changes']],
    ['undid an approval', 'approve', ['approve', 'undo']],
  ] as const)('is told that somebody %s', async (said, decision, others) => {
    await runOf('a');
    const { run, results } = await runOf('b');
    const resultIds = results.map(({ id }) => id);
    for (const each of others) {
      await decide(world.ctx, ben, run.id, { decision: each, note: each === 'request_changes' ? 'No' : undefined });
    }
    const note = decision === 'request_changes' ? 'No' : undefined;
    await expect(decide(world.ctx, ann, run.id, { decision, note, resultIds, seen: 0 })).rejects.toThrow(
      `${ben.name} ${said} in the meantime`,
    );
  });

  it('is told the last 20 of them', async () => {
    await runOf('a');
    const { run } = await runOf('b');
    for (let times = 0; times < 21; times += 1) {
      await decide(world.ctx, ben, run.id, { decision: 'request_changes', note: `No ${times}` });
    }
    const refused = decide(world.ctx, ann, run.id, { decision: 'approve', seen: 0 });
    const numbers = Array.from({ length: 20 }, (_, at) => ({ number: 21 - at }));
    await expect(refused).rejects.toMatchObject({ details: { verdictNumber: 21, verdicts: numbers } });
  });
});
