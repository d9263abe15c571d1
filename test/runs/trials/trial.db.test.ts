import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CaptureError, type Capture } from '../../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import type { WorkerContext } from '../../../src/context.ts';
import { encodeElementMap } from '../../../src/elements/encode-element-map.ts';
import { readTrial, startTrial } from '../../../src/runs/trials/start-trial.ts';
import { giveUpTrial, tryPage } from '../../../src/runs/trials/try-page.ts';
import { imageName } from '../../../src/storage/object-name.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { sha256Of } from '../../../src/text/sha256.ts';
import { mapOf } from '../../elements/element-map.ts';
import { marked, onlyPage, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const PNG = marked([10]);
const JOB = { signal: new AbortController().signal };

const MAP = mapOf(
  { tag: 'html', box: [0, 0, 60, 200] },
  { parent: 0, tag: 'time', id: 'clock', box: [5, 10, 20, 30] },
  { parent: 0, tag: 'i', id: 'unseen', box: [5, 10, 0, 30] },
);

const capture: Capture = {
  png: PNG,
  sha256: sha256Of(PNG),
  width: 60,
  height: 200,
  duration: 1,
  engine: 'test',
  title: null,
  warnings: [{ code: 'element_missing', message: 'The page was captured without .late' }],
  stability: 'AT_ONCE',
  alsoSeen: [],
  heard: null,
  served: null,
  screenshots: 1,
  cut: false,
  atRest: true,
  asBefore: null,
  way: { clock: 'running', timeout: 5000, late: [] },
  elements: null,
  unmatched: ['.gone'],
  landing: null,
};

/** The worker's context, with a browser that answers so. */
function seeing(answer: (request: CaptureRequest) => Promise<Capture>): WorkerContext {
  return { ...world.ctx, browser: { ...world.ctx.browser, capture: answer } };
}

const CONFIG: SuiteConfigInput = {
  viewports: [{ name: 'wide', width: 1000, height: 800 }],
  rules: [
    {
      paths: ['/'],
      hide: ['.gone'],
      ignore: ['#clock', '#unseen'],
      ignoreBoxes: [{ x: 1, y: 2, width: 3, height: 4 }],
    },
  ],
};

describe('a trial', () => {
  it('captures the page with settings that are not saved, and tells what they do', async () => {
    const { suite } = await onlyPage(world);
    const id = await startTrial(world.ctx, suite, { path: '/?x=1', viewport: 'wide', config: CONFIG });
    expect(await readTrial(world.ctx, suite, id)).toMatchObject({ status: 'PENDING', file: null });
    const requests: CaptureRequest[] = [];
    const elements = await encodeElementMap(MAP);
    const ctx = seeing(async (request) => {
      requests.push(request);
      return { ...capture, elements };
    });
    await tryPage(ctx, { trialId: id }, JOB);
    await tryPage(ctx, { trialId: id }, JOB);
    expect(requests).toMatchObject([
      { url: `${suite.origin}/?x=1`, viewport: { width: 1000 }, rules: { hide: ['.gone'] }, baseline: null },
    ]);
    expect(await readTrial(world.ctx, suite, id)).toMatchObject({
      status: 'DONE',
      file: imageName(suite.id, capture.sha256),
      ignoredBoxes: [
        { x: 5, y: 10, width: 20, height: 30 },
        { x: 1, y: 2, width: 3, height: 4 },
      ],
      unmatchedSelectors: ['.gone'],
      warnings: ['The page was captured without .late'],
    });
    expect(await world.ctx.storage.get(imageName(suite.id, capture.sha256))).toEqual(PNG);
    expect(await world.db('baseline_versions').where({ test_suite_id: suite.id })).toEqual([]);
  });

  it('tells that an ignored area covers the whole window', async () => {
    const { suite } = await onlyPage(world);
    const config = { ...CONFIG, rules: [{ paths: ['/'], ignore: ['html'] }] };
    const id = await startTrial(world.ctx, suite, { path: '/', viewport: 'wide', config });
    const elements = await encodeElementMap(MAP);
    const ctx = seeing(async () => ({ ...capture, elements, warnings: [] }));
    await tryPage(ctx, { trialId: id }, JOB);
    const { warnings } = await readTrial(world.ctx, suite, id);
    expect(warnings).toEqual([
      'An ignored area covers the whole window (100% of the screenshot), so changes there pass unseen',
    ]);
  });

  it('tells why the page could not be captured, and when the worker gave up', async () => {
    const { suite } = await onlyPage(world);
    const input = { path: '/', viewport: 'wide', config: CONFIG };
    const failed = await startTrial(world.ctx, suite, input);
    await tryPage(
      seeing(async () => Promise.reject(new CaptureError('It answered 404'))),
      { trialId: failed },
      JOB,
    );
    expect(await readTrial(world.ctx, suite, failed)).toMatchObject({ status: 'ERROR', error: 'It answered 404' });
    const dead = await startTrial(world.ctx, suite, input);
    await giveUpTrial(world.ctx, { trialId: dead });
    expect(await readTrial(world.ctx, suite, dead)).toMatchObject({ status: 'ERROR' });
  });

  it('is refused for a page of another site, and for a viewport that there is not', async () => {
    const { suite } = await onlyPage(world);
    const start = async (path: string, viewport: string) =>
      startTrial(world.ctx, suite, { path, viewport, config: CONFIG });
    await expect(start('http://other.test/', 'wide')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(start('//other.test/', 'wide')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(start('/', 'desktop')).rejects.toMatchObject({ kind: 'invalid' });
    expect(await world.db('page_trials').where({ test_suite_id: suite.id })).toEqual([]);
  });

  it('is deleted when newer ones take its place, and its job then does nothing', async () => {
    const { suite } = await onlyPage(world);
    const ids: string[] = [];
    for (let trial = 0; trial < 11; trial += 1) {
      ids.push(await startTrial(world.ctx, suite, { path: '/', viewport: 'wide', config: CONFIG }));
    }
    const [first = '', second = ''] = ids;
    await expect(readTrial(world.ctx, suite, first)).rejects.toMatchObject({ kind: 'not_found' });
    await tryPage(
      seeing(async () => Promise.reject(new Error('must not be captured'))),
      { trialId: first },
      JOB,
    );
    expect(await readTrial(world.ctx, suite, second)).toMatchObject({ status: 'PENDING' });
    const other = await onlyPage(world);
    await expect(readTrial(world.ctx, other.suite, second)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
