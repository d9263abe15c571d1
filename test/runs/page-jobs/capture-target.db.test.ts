import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { readLogs, startRun } from '../../support/requests.ts';
import { SITE, type OwnSuite } from '../../support/world.ts';
import { finishOn, marked, onlyPage, onlyResult, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const SHOWN = marked([]);

let page: { viewer: Viewer; suite: OwnSuite };
beforeEach(async () => {
  page = await onlyPage(world);
  await runOn(world, page, SHOWN);
});

const setBaseUrl = async (baseUrl: string) =>
  world.db('test_suites').where({ id: page.suite.id }).update({ base_url: baseUrl });

const start = { targetBaseUrl: 'http://preview.test/pr-7' };
const warnings = async (runId: string) =>
  (await readLogs(world.ctx, page.viewer, runId))
    .filter(({ type }) => type === 'WARNING')
    .map(({ message }) => message);

describe('a page outside of the base URL', () => {
  beforeEach(async () => {
    await setBaseUrl(`${SITE}/docs/`);
  });

  it('is an error at a preview, which says so, and is never the page of the site', async () => {
    const result = await runOn(world, page, SHOWN, { start });
    expect(result).toMatchObject({ status: 'ERROR', currentFile: null, url: `${SITE}/` });
    expect(result.error).toBe(
      `The page is outside of the suite’s base URL, ${SITE}/docs/, so it is not a part of the preview at http://preview.test/pr-7`,
    );
  });

  it('is captured on the site itself', async () => {
    expect(await runOn(world, page, SHOWN)).toMatchObject({ status: 'PASS', url: `${SITE}/` });
  });

  it('stays an error when the base URL is changed after the run began', async () => {
    const { id } = await startRun(world.ctx, page.viewer, page.suite, start);
    await setBaseUrl(SITE);
    await finishOn(world, page.viewer, id, SHOWN);
    expect(await onlyResult(world, page.viewer, id)).toMatchObject({
      status: 'ERROR',
      error: 'The suite’s base URL has changed since this run began. Start a new run',
    });
  });
});

describe('a run of a preview at the suite’s own address', () => {
  it('warns that it says nothing of a preview', async () => {
    for (const targetBaseUrl of [SITE, `${SITE}/index.html`]) {
      const result = await runOn(world, page, SHOWN, { start: { targetBaseUrl } });
      expect(result).toMatchObject({ url: `${SITE}/` });
      expect(await warnings(result.testRunId)).toEqual([
        expect.stringContaining('is the suite’s own site, not a preview'),
      ]);
    }
  });

  it('does not below another path of its host', async () => {
    const result = await runOn(world, page, SHOWN, { start: { targetBaseUrl: `${SITE}/pr-7` } });
    expect(result).toMatchObject({ url: `${SITE}/pr-7/` });
    expect(await warnings(result.testRunId)).toEqual([]);
  });
});
