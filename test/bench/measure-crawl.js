import { createLogger } from '../../dist/logger.js';
import { createNetwork } from '../../dist/net/create-network.js';
import { discoverSite } from '../../dist/pages/crawl/discover-site.js';
import { PAGES } from './generated-site.js';
import { inTurns } from './measure.js';

const TURNS = 3;
const AT_ONCE = 8;

/** The lower limit: requests only, without reading links or checking rules. */
async function fetchAll(site) {
  let next = 0;
  const worker = async () => {
    while (next < PAGES) {
      const page = next;
      next += 1;
      await (await fetch(`${site.origin}/page/${page}`)).text();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function discover(site, network) {
  const discovery = await discoverSite(
    {
      baseUrl: site.origin,
      maxPages: PAGES * 2,
      maxDepth: 50,
      crawlOptions: { followSitemap: true, respectRobots: true, userAgent: 'Pixelgate/bench', timeout: 30_000 },
      extraPaths: [],
      knownPaths: [],
    },
    {
      fetch: network.fetch,
      render: async (url) => {
        throw new Error(`${url} has links and needs no rendering`);
      },
    },
  );
  if (discovery.pages.length !== PAGES) throw new Error(`${discovery.pages.length} of ${PAGES} pages were found`);
}

export async function measureCrawl(site) {
  const network = createNetwork({ allowPrivateTargets: true, log: createLogger('warn') });
  try {
    const [floor, ours] = await inTurns(
      TURNS,
      async () => fetchAll(site),
      async () => discover(site, network),
    );
    return [[`${Math.round((PAGES / ours) * 1000)} pages a second`, floor / PAGES, ours / PAGES]];
  } finally {
    await network.close();
  }
}
