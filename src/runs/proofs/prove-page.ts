import { keepNewest } from '../../async/keep-newest.ts';
import type { SiteAnswers } from '../../capture/browser/capture-request.ts';
import { toExchange } from '../../capture/manifest/exchange.ts';
import { answerOf, type Exchange } from '../../capture/manifest/manifest.ts';
import { atPlace, withoutPlace, type Places } from '../../capture/manifest/places.ts';
import type { WorkerContext } from '../../context.ts';
import { FetchError, type FetchResponse } from '../../net/network.ts';
import { createSiteFetch, type SiteFetch } from '../../suites/site-access/fetch-site.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { hashSettings, isMadeAlike, protocolOf, type Inputs } from './manifest.ts';
import { readManifest } from './store-manifest.ts';

/** The same limit as when a manifest is recorded. */
const MAX_BYTES = 50_000_000;
/** How many responses a worker caches for a run and server, and for how many of these. */
const MOST_ANSWERS = 20_000;
const MOST_KEPT = 8;

const kept = new Map<string, Map<string, Promise<string | null>>>();

type AskAgain = {
  /** The address as manifests have it. */
  nameOf(url: string): string;
  /** Whether the server returns the same as before. Each worker makes a request once a run. */
  isUnchanged(exchange: Exchange, literal: boolean): Promise<boolean>;
};

/**
 * Requests everything that a manifest names, like the browser did, and unconditionally, because a server may be wrong
 * about what has changed.
 * @param key of the run and the server
 */
export function createAskAgain(
  ctx: WorkerContext,
  run: Run,
  { places, site, key }: { places: Places; site: SiteAnswers | null; key: string },
): AskAgain {
  const answers = keepNewest(kept, key, kept.get(key) ?? new Map<string, Promise<string | null>>(), MOST_KEPT);
  const siteFetch: SiteFetch = createSiteFetch(ctx, { suiteId: run.testSuiteId, scope: run.id });

  async function send(url: string, asked: Record<string, string>): Promise<FetchResponse> {
    if (site !== null && new URL(url).origin === site.origin) {
      return { ...(await site.answer('GET', url)), truncated: false };
    }
    return siteFetch.fetch({
      url,
      userAgent: asked['user-agent'] ?? '',
      headers: asked,
      timeout: run.config.crawlOptions.timeout,
      maxBytes: MAX_BYTES,
    });
  }

  async function ask(exchange: Exchange, literal: boolean): Promise<string | null> {
    const { url: address, kind, asked: headers, body: before } = exchange;
    const url = atPlace(places, address);
    const asked = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, atPlace(places, value)]));
    try {
      const { status, headers: answered, body, truncated } = await send(url, asked);
      if (truncated) return null;
      const served = { url, kind, asked, status, answered, body: before === null ? null : body };
      return answerOf(toExchange(places, served, { literal }));
    } catch (error) {
      // If something fails, the capture will report it.
      if (error instanceof FetchError) return null;
      throw error;
    }
  }

  return {
    nameOf: (url) => withoutPlace(places, new URL(url).href),
    async isUnchanged(exchange, literal) {
      const request = JSON.stringify([exchange.url, exchange.kind, exchange.asked, literal]);
      const known = answers.get(request);
      const asking = known ?? ask(exchange, literal);
      if (known === undefined && answers.size < MOST_ANSWERS) {
        answers.set(request, asking);
        asking.catch(() => answers.delete(request));
      }
      return (await asking) === answerOf(exchange);
    },
  };
}

/** A server that is asked for pages of a run, and how they would be captured from it now. */
export type Asking = {
  run: Run;
  ask: AskAgain;
  inputs: Omit<Inputs, 'settings' | 'protocol'>;
};

/** How many requests prove that a page matches its manifest. Null: it does not, or there is no more time to ask. */
export async function provePage(
  ctx: WorkerContext,
  { run, ask, inputs }: Asking,
  page: Pick<PageResult, 'url' | 'path' | 'viewport'>,
  manifestFile: string | null,
  isOver: () => Promise<boolean>,
): Promise<number | null> {
  const manifest = await readManifest(ctx, manifestFile);
  if (manifest === null || manifest.obstacles.length > 0) return null;
  // Below another base, it may be made of what is now another page.
  const name = ask.nameOf(page.url);
  if (!manifest.exchanges.some(({ kind, url }) => kind === 'document' && url === name)) return null;
  const how = { ...inputs, protocol: protocolOf(page.url), settings: hashSettings(run, page) };
  if (!isMadeAlike(manifest, how)) return null;
  // A changed document is the usual reason why a page is not proven, and it is asked for at once.
  const inOrder = manifest.exchanges.toSorted(
    (one, other) => Number(other.kind === 'document') - Number(one.kind === 'document'),
  );
  for (const exchange of inOrder) {
    if ((await isOver()) || !(await ask.isUnchanged(exchange, manifest.literal))) return null;
  }
  return inOrder.length;
}
