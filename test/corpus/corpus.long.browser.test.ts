import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { DEFAULT_CONFIG } from '../../src/suites/config/suite-config.ts';
import { LOCAL, requestOf } from '../capture/requests.ts';
import { startCorpusServer } from './corpus-server.js';
import { TESTED } from './corpus.js';
import { CORPUS_VIEWPORTS, measureSignal } from './measure-signal.js';

/*
 * Each page of the corpus twice unchanged and once changed, at one of the viewports. Fourteen at a time keep the machine
 * busy. `npm run bench:signal` does it five times at each viewport, also while something else takes the processor.
 */
const RUNS = 1;
const CONCURRENCY = 14;
const BOUND_MS = 1_200_000;

type Signals = Awaited<ReturnType<typeof measureSignal>>;

const signals = new Map<string, Signals[number]>();

beforeAll(async () => {
  const server = await startCorpusServer(TESTED);
  const browser = openBrowser(LOCAL);
  const half = (rest: number) => TESTED.filter((_, index) => index % CORPUS_VIEWPORTS.length === rest);
  const measure = async (viewport: { width: number; height: number }, index: number) =>
    measureSignal(browser, server, half(index), {
      runs: RUNS,
      viewports: [viewport],
      concurrency: CONCURRENCY / CORPUS_VIEWPORTS.length,
      request: (url: string, changes: Partial<CaptureRequest>) =>
        requestOf(url, { settle: DEFAULT_CONFIG.settle, ...changes }),
    });
  const found = await Promise.all(CORPUS_VIEWPORTS.map(measure));
  for (const signal of found.flat()) signals.set(signal.page, signal);
  await browser.close();
  await server.close();
}, BOUND_MS);

describe('a page of the corpus', () => {
  it('has a name of its own', () => {
    expect(new Set(TESTED.map(({ name }) => name)).size).toBe(TESTED.length);
  });

  it.each(TESTED.map(({ name }) => name))('%s: looks the same again, and shows its change', (name) => {
    expect(signals.get(name)).toMatchObject({ errors: [], falseAlarms: 0, missed: false, untold: 0 });
  });
});
