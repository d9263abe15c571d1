import { isDeepStrictEqual } from 'node:util';
import { inTurns } from '../../async/batches.ts';
import { findSkippedViewports, type Place } from '../../suites/config/page-rule.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import { viewportNames } from '../../suites/config/viewport.ts';
import { captureRequest } from '../page-jobs/capture-request.ts';
import type { Looks } from './settings-change.ts';

/** The maximum number of second captures, to limit the load on a site for one pull request. */
const MOST = 100;
/** Globs can be expensive. */
const CHOOSING_MS = 2000;

/** The settings that decide how a page is captured. Ignoring does not change that. */
function captureOf(config: SuiteConfig, { path, viewport }: Place) {
  const request = captureRequest({ id: '', config }, { url: '', path, viewport }, null);
  return { ...request, rules: { ...request.rules, ignore: [] } };
}

/**
 * What a run also captures with the settings of the base, because the pull request changes how it is captured, or
 * leaves it out. Pure, except for its time limit.
 */
export async function chooseLooks(base: SuiteConfig, head: SuiteConfig, paths: readonly string[]): Promise<Looks> {
  const looks: Looks = { again: [], leftOut: [], notCaptured: 0 };
  const take = (places: Place[], place: Place) => {
    if (places.length < MOST) places.push(place);
    else looks.notCaptured += 1;
  };
  const late = performance.now() + CHOOSING_MS;
  const isSame = isDeepStrictEqual({ ...base, control: null }, { ...head, control: null });
  for await (const path of inTurns(isSame ? [] : paths)) {
    if (performance.now() > late) {
      looks.notCaptured += 1;
      continue;
    }
    const skipped = findSkippedViewports(base.rules, path, viewportNames(base));
    const left = new Set(findSkippedViewports(head.rules, path, viewportNames(head)));
    for (const viewport of viewportNames(base).filter((name) => !skipped.includes(name))) {
      const place = { path, viewport };
      if (left.has(viewport) || !viewportNames(head).includes(viewport)) take(looks.leftOut, place);
      else if (!isDeepStrictEqual(captureOf(base, place), captureOf(head, place))) take(looks.again, place);
    }
  }
  return looks;
}
