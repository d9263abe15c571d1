import { isDeepStrictEqual } from 'node:util';
import { inTurns } from '../../in-turns.ts';
import { findSkippedViewports } from '../../suites/page-rule.ts';
import type { SuiteConfig } from '../../suites/suite-config.ts';
import { captureRequest } from '../page-jobs/capture-request.ts';
import type { Looks, Place } from './settings-change.ts';

/** More are not captured a second time: what a site serves for a pull request has its bounds. */
const MOST = 100;
/** Globs can be costly. */
const CHOOSING_MS = 2000;

const namesOf = ({ viewports }: SuiteConfig) => viewports.map(({ name }) => name);

/** How a page is captured. What is ignored is captured in the same way. */
function captureOf(config: SuiteConfig, { path, viewport }: Place) {
  const request = captureRequest({ id: '', config }, { url: '', path, viewport }, null);
  return { ...request, rules: { ...request.rules, ignore: [] } };
}

/**
 * What a run captures with the settings of the base as well, because the pull request has it captured in another way, or
 * not at all. Pure, apart from the time that it takes.
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
    const skipped = findSkippedViewports(base.rules, path, namesOf(base));
    const left = new Set(findSkippedViewports(head.rules, path, namesOf(head)));
    for (const viewport of namesOf(base).filter((name) => !skipped.includes(name))) {
      const place = { path, viewport };
      if (left.has(viewport) || !namesOf(head).includes(viewport)) take(looks.leftOut, place);
      else if (!isDeepStrictEqual(captureOf(base, place), captureOf(head, place))) take(looks.again, place);
    }
  }
  return looks;
}
