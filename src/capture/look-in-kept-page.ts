import type { CaptureRequest } from './browser/browser.ts';
import { describeFound, inLoadedPage } from './capture-in-context.ts';
import type { Found, Loaded, Settled } from './capture-in-context.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Lease } from './browser/keep-browser.ts';
import { followPage } from './follow-page.ts';
import { isServedTwice } from './served-twice.ts';
import { isStill } from './still-page.ts';
import { confirmEarly, takeEarlyShot, takeStillShot } from './take-shot.ts';

/** A page that is kept shows nothing of its own accord, and what one of others shows is what they have left there. */
const mayBeKept = ({ access, site, serviceWorkers }: CaptureRequest) =>
  access === null && site === null && serviceWorkers === 'block';

/** One look. It is believed if it is the baseline, or if nothing can change any more and the page is served like that. */
async function takeKeptShot({ open, request }: Loaded): Promise<Settled | null> {
  const { baseline } = request;
  if (baseline === null) {
    const shot = await takeStillShot(open, request);
    if (shot === null || !(await isServedTwice(open))) return null;
    return { shot, by: 'wanted', hashes: [shot.sha256], early: null };
  }
  const taken = await takeEarlyShot(open, request);
  const { shot } = taken;
  const hashes = [shot.sha256];
  const confirmed = shot.sha256 === baseline.sha256 ? await confirmEarly(open, request, taken) : null;
  if (confirmed !== null) return { shot: confirmed, by: 'wanted', hashes, early: null };
  const cannotChange = await followPage(open, request, async () => isStill(open, request.document));
  const by = cannotChange ? 'still' : 'nothing';
  return { shot, by, hashes, early: null };
}

/**
 * The first look at a page, in one that others of its scope were captured in. Null when it says nothing. What is found by
 * `nothing` or `still` is only one look: how a page in a fresh context looks decides.
 */
export async function lookInKeptPage(
  lease: Lease,
  request: CaptureRequest,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
): Promise<Found | null> {
  const { scope, baseline } = request;
  const asBaseline = baseline === null || (baseline.atRest && baseline.way?.clock !== 'stopped');
  if (scope === undefined || !asBaseline || !mayBeKept(request)) return null;
  return inLoadedPage(lease, request, { stopAfter: null, scope }, warnings, isCancelled, async (loaded) => {
    const settled = await takeKeptShot(loaded);
    return settled === null ? null : describeFound(loaded, settled, settled.by === 'wanted');
  });
}
