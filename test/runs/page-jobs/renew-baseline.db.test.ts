import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { sha256Of } from '../../../src/storage/object-name.ts';
import type { OwnSuite } from '../../support/world.ts';
import { marked, onlyPage, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

type Page = { viewer: Viewer; suite: OwnSuite };

const EARLY = marked([10]);
const AT_REST = marked([10, 90]);
const early = { png: EARLY, sha256: sha256Of(EARLY), width: 60, height: 200 };

/** A baseline that was captured before pages were awaited at rest. */
async function oldBaseline(): Promise<Page> {
  const page = await onlyPage(world);
  await runOn(world, page, EARLY, { atRest: false });
  return page;
}

const versions = async ({ suite }: Page) =>
  world
    .db('baseline_versions')
    .where({ test_suite_id: suite.id })
    .orderBy('version')
    .select('version', 'source', 'at_rest', 'note', 'file_path');

const branch = { start: { targetBaseUrl: 'http://preview.test' } };

describe('a baseline that was not captured at rest', () => {
  it('is renewed by a run of the site itself where the page looks as it did', async () => {
    const page = await oldBaseline();
    const result = await runOn(world, page, AT_REST, { early });
    expect(result).toMatchObject({ status: 'PASS', cause: null, isNew: false });
    expect(await versions(page)).toMatchObject([
      { version: 1, source: 'INITIAL', atRest: false },
      { version: 2, source: 'INITIAL', atRest: true, note: expect.stringContaining('before the page was stable') },
    ]);
    expect(await runOn(world, page, AT_REST, branch)).toMatchObject({ status: 'PASS', diffScore: 0 });
  });

  it('is left to a person where the page no longer looks as it did', async () => {
    const page = await oldBaseline();
    const other = marked([50]);
    const moved = { ...early, png: other, sha256: sha256Of(other) };
    expect(await runOn(world, page, AT_REST, { early: moved })).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    expect(await versions(page)).toHaveLength(1);
  });

  it('stays as it is in a run of a preview, which passes where the page looks as it did', async () => {
    const page = await oldBaseline();
    expect(await runOn(world, page, AT_REST, { early, ...branch })).toMatchObject({ status: 'PASS', cause: null });
    expect(await versions(page)).toHaveLength(1);
  });

  it('turns out to be one where a screenshot at rest has its bytes', async () => {
    const page = await oldBaseline();
    await runOn(world, page, EARLY, { early });
    expect(await versions(page)).toMatchObject([{ version: 1, atRest: true }]);
  });
});
