import type { WorkerContext } from '../../context.ts';
import { FetchError } from '../../net/network.ts';
import { followRedirects, redirectTarget } from '../../net/redirects.ts';
import { isOnHost } from '../../net/same-host.ts';
import { createSiteFetch } from '../../suites/site-access/fetch-site.ts';
import type { Suite } from '../../suites/suite.ts';
import type { TrialVisit } from './trial.ts';

const MAX_REDIRECTS = 8;
const MAX_BYTES = 256 * 1024;

/** Requests a page like a crawl would, with the access to the site. Redirects on its host are followed. */
export async function visitAddress(ctx: WorkerContext, suite: Suite, url: string, scope: string): Promise<TrialVisit> {
  const site = createSiteFetch(ctx, { suiteId: suite.id, scope });
  const { userAgent, timeout } = suite.config.crawlOptions;
  try {
    const end = await followRedirects<Omit<TrialVisit, 'wall'>>(url, MAX_REDIRECTS, async (address) => {
      const response = await site.fetch({ url: address, userAgent, timeout, maxBytes: MAX_BYTES });
      const next = redirectTarget(response, address);
      if (next === null) return { end: { status: response.status, address, error: null } };
      return isOnHost(next, url) ? { next } : { end: { status: response.status, address: next, error: null } };
    });
    return end === null
      ? { status: null, address: url, error: 'It redirects endlessly', wall: null }
      : { ...end, wall: site.wall() };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { status: null, address: url, error: error.message, wall: site.wall() };
  }
}
