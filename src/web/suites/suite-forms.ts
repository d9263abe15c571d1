import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { Id, onSuite } from '../../http/acts-on.ts';
import { actOnPages, addPage } from '../../pages/add-page.ts';
import { queueCrawl } from '../../pages/crawl/queue-crawl.ts';
import { SITE_PAGE_ACTIONS, type SitePageAction } from '../../pages/site-page.ts';
import { renewBaselines } from '../../review/approval/promote-through-api.ts';
import { BRANCH_MAX_LENGTH } from '../../runs/run.ts';
import { startRun } from '../../runs/start-run.ts';
import { SuiteAddress } from '../../suites/suite-input.ts';
import { followSuite } from '../../suites/suite-life.ts';
import { formatCount } from '../../text/format.ts';
import { trimmedText } from '../../text/input-words.ts';
import { readablePath } from '../../text/readable-path.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { many } from '../form-field.ts';
import { formRoute, redirect, withQuery } from '../web-route.ts';
import { PageListQuery, toPageFilter, toQuery } from './page-list.ts';
import { getSuite } from './show.ts';

/** The run, and which results of it, that the page showed. */
const RenewForm = z.object({ runId: Id, which: z.string() });

export const postRenewBaselines = formRoute(
  { path: '/suites/:id/renew-baselines', ...onSuite('suite.approve'), form: RenewForm, redisplay: getSuite.show },
  async (ctx, { suite, form }) => {
    const versions = await renewBaselines(ctx, suite, form);
    return redirect(`/suites/${suite.id}`, `${formatCount(versions, 'baseline')} renewed`);
  },
);

const FollowForm = z.object({ follow: z.enum(['yes', 'no']) });

export const postFollow = formRoute(
  { path: '/suites/:id/follow', ...onSuite('suite.read'), form: FollowForm },
  async (ctx, { suite, form }) => {
    const follows = form.follow === 'yes';
    await followSuite(ctx, suite, follows);
    const notice = follows
      ? `Following ${suite.name}. Its latest run is on your dashboard.`
      : `${suite.name} is no longer on your dashboard, and you get no email about it`;
    return redirect(`/suites/${suite.id}`, notice);
  },
);

/** Without a preview URL, this starts a site run. An empty preview URL is rejected. */
const RunForm = z.object({
  targetBaseUrl: z.string().trim().optional(),
  branch: trimmedText(BRANCH_MAX_LENGTH).optional(),
  render: z.literal('on').optional(),
});

export const postRun = formRoute(
  { path: '/suites/:id/run', ...onSuite('suite.run'), form: RunForm, redisplay: getSuite.show },
  async (ctx, { suite, form }) => {
    const { targetBaseUrl, branch, render } = form;
    const run = await startRun(ctx, suite, {
      targetBaseUrl,
      branch: branch || undefined,
      render: render === 'on',
    });
    return redirect(`/runs/${run.id}`);
  },
);

export const postCrawl = formRoute(
  { path: '/suites/:id/crawl', ...onSuite('suite.run'), redisplay: getSuite.show },
  async (ctx, { suite }) => {
    await queueCrawl(ctx, suite);
    return redirect(`/suites/${suite.id}`, 'Crawl queued');
  },
);

/** `all`: every page that matches the filter in the URL, ticked or not. It is their number, as the page showed it. */
const PagesForm = z.object({
  action: z.enum(SITE_PAGE_ACTIONS),
  page: many.pipe(z.array(Id)),
  all: typedNumber(0).optional(),
});

const DONE: Record<SitePageAction, string> = {
  track: 'tracked',
  untrack: 'untracked',
  acknowledge: 'acknowledged',
  delete: 'deleted',
};

function describeAction(done: SitePageAction, affected: number): string {
  if (affected === 0) return 'No pages changed';
  return `${formatCount(affected, 'page')} ${DONE[done]}`;
}

export const postPages = formRoute(
  {
    path: '/suites/:id/pages',
    ...onSuite('suite.edit'),
    query: PageListQuery,
    form: PagesForm,
    redisplay: getSuite.show,
  },
  async (ctx, { suite, query, form }) => {
    const { all, page } = form;
    if (all === undefined && page.length === 0) throw invalid('Select at least one page');
    const on = all === undefined ? page : { filter: toPageFilter(query), shown: all };
    const affected = await actOnPages(ctx, suite, { action: form.action, on });
    return redirect(withQuery(`/suites/${suite.id}`, toQuery(query)), describeAction(form.action, affected));
  },
);

const AddForm = z.object({ address: SuiteAddress.min(1, 'must not be empty') });

/** Anything that starts with a slash is a path. */
export const postAddPage = formRoute(
  { path: '/suites/:id/add-page', ...onSuite('suite.edit'), form: AddForm, redisplay: getSuite.show },
  async (ctx, { suite, form }) => {
    const { address } = form;
    const page = await addPage(ctx, suite, address.startsWith('/') ? { path: address } : { url: address });
    return redirect(`/suites/${suite.id}`, `Added and tracked ${readablePath(page.path)}`);
  },
);
