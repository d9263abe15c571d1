import type { HeardNode } from '../elements/heard/heard-tree.ts';
import { nullIf } from '../errors.ts';
import { CaptureError } from './browser/browser.ts';
import type { CaptureRequest } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import { captureInContext, type Found } from './capture-in-context.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Recorded } from './manifest/manifest.ts';
import type { Served } from './served/served.ts';
import type { Search } from './take-settled-shot.ts';

/** Captures of one page, which share their warnings. */
export type Session = {
  lease: Lease;
  request: CaptureRequest;
  warnings: Warnings;
  hashes: string[];
  loads: Served[];
  /** The first look, in a kept page. Another load with the same screenshot confirms it. */
  seen: Found | null;
  records: Recorded[];
  /** What assistive technology is told, by each load that was read. */
  heard: { sha256: string; tree: HeardNode }[];
  isCancelled: () => Promise<boolean>;
};

/** Remember the screenshot of each settled load, even if it is not accepted. */
export function note({ hashes, loads, records, heard }: Session, found: Found): void {
  hashes.push(...found.hashes);
  loads.push(...found.served);
  if (found.recorded !== null) records.push(found.recorded);
  if (found.heard !== null) heard.push({ sha256: found.shot.sha256, tree: found.heard });
}

export type LookAgain = (changes: Partial<Search>) => Promise<Found>;

export function searchIn(session: Session): LookAgain {
  const { lease, request, warnings, seen, isCancelled } = session;
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  const wanted = seen?.by === 'repetition' ? [...baseline, seen.shot.sha256] : baseline;
  const known = request.baseline?.atRest === true ? baseline : [];
  return async (changes) => {
    const search = { wanted, known, early: false, last: true, still: false, proves: true, once: false, ...changes };
    const found = await captureInContext(lease, request, search, warnings, isCancelled);
    note(session, found);
    return found;
  };
}

/** Null when the page can't be captured in this way: some need a clock that runs. */
export async function unlessFailed<T>(search: Promise<T>): Promise<T | null> {
  return search.catch(nullIf((error) => error instanceof CaptureError));
}
