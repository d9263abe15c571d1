import { z } from 'zod';
import { queueCrawl } from '../../pages/queue-crawl.ts';
import { tallyPages } from '../../pages/search-pages.ts';
import { countPagesAndRuns } from '../../runs/list-runs.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { CRAWL_STATUSES } from '../../suites/suite.ts';
import { redirect } from '../reply.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { crawlBox, hasNews, readShownCrawl } from './crawl-box.ts';
import { readNextStep } from './next-step.ts';
import { SuiteParams } from './params.ts';
import { showSuite } from './show.ts';
import { typedNumber } from '../../text/typed-number.ts';

const Asked = z.object({
  seen: z.enum(CRAWL_STATUSES).nullable().catch(null),
  found: typedNumber(0, 1_000_000).catch(0),
  empty: z.literal('yes').nullable().catch(null),
  asked: typedNumber(0, 10_000).catch(0),
});

/** For an open page: when to poll again, and the state of the crawl if it has changed. */
export const getCrawl = pageRoute(
  { path: '/suites/:id/crawl', params: SuiteParams, query: Asked },
  async (ctx, { viewer, params, query, htmx }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    if (!htmx) return redirect(`/suites/${suite.id}`);
    const [details, tally, { runs }] = await Promise.all([
      readShownCrawl(ctx, suite),
      tallyPages(ctx, suite),
      countPagesAndRuns(ctx, suite),
    ]);
    const next = await readNextStep(ctx, suite, details, { ...tally, runs });
    const seen = { status: query.seen, found: query.found, asked: query.asked };
    const replaceable = query.empty !== null;
    const crawl = crawlBox(suite, details, { seen, replaceable, awaitsRun: next.soon });
    if (crawl.isDone && replaceable) return redirect(`/suites/${suite.id}`);
    const model = { crawl, hasChanged: hasNews(suite, details, seen) };
    return { kind: 'fragment', view: 'suites/crawl-part', model };
  },
);

export const postCrawl = formRoute(
  { path: '/suites/:id/crawl', params: SuiteParams, form: z.object({}), redisplay: showSuite },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.run');
    await queueCrawl(ctx, suite);
    return redirect(`/suites/${suite.id}`, 'Crawl queued');
  },
);
