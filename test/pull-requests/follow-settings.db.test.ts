import { afterAll, expect, it } from '@jest/globals';
import { findRunsWithChange } from '../../src/pull-requests/pull-request-run-store.ts';
import { saveSettingsChange } from '../../src/runs/settings-change/settings-change-store.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { createTestDatabase } from '../support/database.ts';
import { newViewer } from '../support/world.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

it('follows open pull requests first, however many newer runs of older commits there are', async () => {
  const world = github.connectedWorld(database.db);
  const suite = await github.linkedSuite(world, await newViewer(world), ['/']);
  /** A finished run of a pull request's head that changes settings. */
  const finished = async (number: number, headSha: string) => {
    const pull = await github.newPullRequest(world, { number, headSha });
    await github.changePullRequest(world, pull);
    const runId = await github.waitingRun(world, suite, pull);
    const own = { config: {}, file: [] };
    await saveSettingsChange(world.db, runId, { differences: [], own, base: suite.config, hash: null, looks: null });
    await world.db('test_runs').where({ id: runId }).update({ status: 'COMPLETED' });
    return runId;
  };
  const open = await finished(8001, sha('a1'));
  const [older, head] = [await finished(8002, sha('b1')), await finished(8002, sha('b2'))];
  const closed = await finished(8003, sha('c1'));
  await world.db('pull_requests').where({ number: 8003 }).update({ state: 'CLOSED' });
  expect(await findRunsWithChange(world.db, suite.id, 2)).toEqual([head, open]);
  expect(await findRunsWithChange(world.db, suite.id, 9)).toEqual([head, open, closed, older]);
});
