import { keepNewest } from '../async/keep-newest.ts';
import type { CaptureRequest } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import { captureInContext, mayBeKept, type Found } from './capture-in-context.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Shot } from './take-shot.ts';

const MANY = 100;

/** Scopes whose last still page differed from its baseline. */
const changed = new Map<string, true>();

/** If one page has changed, the next one probably has, too. Then a look that can only confirm a baseline is skipped. */
export function noteChange({ scope, baseline }: CaptureRequest, { sha256, isStill }: Shot): void {
  if (scope === undefined || baseline === null) return;
  if (isStill && sha256 !== baseline.sha256) keepNewest(changed, scope, true, MANY);
  else changed.delete(scope);
}

/**
 * The first look at a page, in a kept page of its scope. Null if it is not worthwhile. It can only settle two things:
 * the page equals its baseline, or it is new and still. Otherwise a page in a fresh context has to show the same.
 */
export async function lookInKeptPage(
  lease: Lease,
  request: CaptureRequest,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
): Promise<Found | null> {
  const { scope, baseline } = request;
  const asBaseline = baseline === null || (baseline.atRest && baseline.way?.clock !== 'stopped');
  if (scope === undefined || !asBaseline || !mayBeKept(request) || changed.has(scope)) return null;
  const isNew = baseline === null;
  const known = isNew ? [] : [baseline.sha256];
  const search = { wanted: known, known, early: true, last: false, still: false, proves: isNew, once: isNew };
  return captureInContext(lease, request, search, warnings, isCancelled, scope);
}
