import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import type { CaptureWay } from '../../../src/capture/browser/capture-request.ts';
import type { OwnSuite } from '../../support/world.ts';
import { hearingButton, marked, onlyPage, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

type Page = { viewer: Viewer; suite: OwnSuite };

const EARLY = marked([10]);
const AT_REST = marked([10, 90]);
const asBefore = 'not_at_rest' as const;

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
    const result = await runOn(world, page, AT_REST, { asBefore });
    expect(result).toMatchObject({ status: 'PASS', cause: null, isNew: false });
    expect(await versions(page)).toMatchObject([
      { version: 1, source: 'INITIAL', atRest: false },
      { version: 2, source: 'INITIAL', atRest: true, note: expect.stringContaining('before the page was stable') },
    ]);
    expect(await runOn(world, page, AT_REST, branch)).toMatchObject({ status: 'PASS', diffScore: 0 });
  });

  it('is left to a person where the page no longer looks as it did', async () => {
    const page = await oldBaseline();
    expect(await runOn(world, page, AT_REST)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
    expect(await versions(page)).toHaveLength(1);
  });

  it('is left to a person where assistive technology hears something else, and that holds the gate', async () => {
    const page = await onlyPage(world, { accessibility: 'all', accessibilityGate: true });
    await runOn(world, page, EARLY, { atRest: false, heard: await hearingButton('Buy') });
    const result = await runOn(world, page, AT_REST, { asBefore, heard: await hearingButton('') });
    expect(result).toMatchObject({ status: 'FAIL', cause: 'CHANGE', heardIds: [expect.any(String)] });
    expect(await runOn(world, page, AT_REST, { asBefore, heard: await hearingButton('Buy') })).toMatchObject({
      status: 'PASS',
    });
  });

  it.each([
    ['drift where the site shows it, too', AT_REST, 'DRIFT'],
    ['a change where the site does not', EARLY, 'CHANGE'],
  ])('stays as it is in a run of a preview, in which what comes late is %s', async (_, site, cause) => {
    const page = await oldBaseline();
    const seen = { asBefore, site, ofSite: { asBefore }, ...branch };
    expect(await runOn(world, page, AT_REST, seen)).toMatchObject({ status: 'FAIL', cause });
    expect(await versions(page)).toHaveLength(1);
  });

  it('turns out to be one where a screenshot at rest has its bytes', async () => {
    const page = await oldBaseline();
    await runOn(world, page, EARLY, { asBefore });
    expect(await versions(page)).toMatchObject([{ version: 1, atRest: true }]);
  });
});

const RUNNING: CaptureWay = { clock: 'running', timeout: 5000, late: [6000] };
const LONGER: CaptureWay = { clock: 'running', timeout: 10_000, late: [] };

const waysOf = async ({ suite }: Page) =>
  (await world.db('baseline_versions').where({ test_suite_id: suite.id }).orderBy('version').select('capture_way')).map(
    ({ captureWay }) => captureWay,
  );

describe('the way in which a baseline was captured', () => {
  it('is kept with its version and its result', async () => {
    const page = await onlyPage(world);
    expect(await runOn(world, page, AT_REST, { way: RUNNING })).toMatchObject({ captureWay: RUNNING });
    expect(await waysOf(page)).toEqual([RUNNING]);
  });

  it('follows the settings where the page has not changed', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, AT_REST, { way: RUNNING });
    await runOn(world, page, AT_REST, { way: LONGER });
    expect(await waysOf(page)).toEqual([LONGER]);
  });

  it('does not follow the settings of a preview', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, AT_REST, { way: RUNNING });
    await runOn(world, page, AT_REST, { way: LONGER, ...branch });
    expect(await waysOf(page)).toEqual([RUNNING]);
  });

  it('is renewed by a run of the site itself where the page, captured that way, has not changed', async () => {
    const page = await onlyPage(world);
    await runOn(world, page, EARLY, { way: RUNNING });
    const result = await runOn(world, page, AT_REST, { way: LONGER, asBefore: 'other_timeout' });
    expect(result).toMatchObject({ status: 'PASS', cause: null });
    expect(await versions(page)).toMatchObject([
      { version: 1 },
      { version: 2, note: expect.stringContaining('limit') },
    ]);
    expect(await waysOf(page)).toEqual([RUNNING, LONGER]);
  });

  it.each([
    ['drift where the site shows it, too', AT_REST, 'DRIFT'],
    ['a change where the site does not', EARLY, 'CHANGE'],
  ])('stays as it is in a run of a preview, in which what comes after that limit is %s', async (_, site, cause) => {
    const page = await onlyPage(world);
    await runOn(world, page, EARLY, { way: RUNNING });
    const was = { way: LONGER, asBefore: 'other_timeout' } as const;
    expect(await runOn(world, page, AT_REST, { ...was, site, ofSite: was, ...branch })).toMatchObject({ cause });
    expect(await waysOf(page)).toEqual([RUNNING]);
  });
});
