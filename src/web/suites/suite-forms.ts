import { z } from 'zod';
import { queueCrawl } from '../../pages/crawl/queue-crawl.ts';
import { renewBaselines } from '../../review/approval/renew-baselines.ts';
import { BRANCH_MAX_LENGTH } from '../../runs/run.ts';
import { startRun } from '../../runs/start-run.ts';
import { followSuite } from '../../suites/follow-suite.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { formatCount } from '../../text/format.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { SuiteParams } from '../form-values.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { showSuite } from './show.ts';

export const postRenewBaselines = formRoute(
  { path: '/suites/:id/renew-baselines', params: SuiteParams, redisplay: showSuite },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.approve');
    const versions = await renewBaselines(ctx, suite);
    return redirect(`/suites/${suite.id}`, `${formatCount(versions, 'baseline')} renewed`);
  },
);

const FollowForm = z.object({ follow: z.enum(['yes', 'no']) });

export const postFollow = formRoute(
  { path: '/suites/:id/follow', params: SuiteParams, form: FollowForm },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const follows = form.follow === 'yes';
    await followSuite(ctx, suite, follows);
    const notice = follows
      ? `Following ${suite.name}. Its latest run is on your dashboard.`
      : `${suite.name} is no longer on your dashboard, and you hear nothing of it by email`;
    return redirect(`/suites/${suite.id}`, notice);
  },
);

/** Without a preview URL, this starts a site run. An empty preview URL is rejected. */
const Form = z.object({
  targetBaseUrl: z.string().trim().optional(),
  branch: trimmedText(BRANCH_MAX_LENGTH).optional(),
  render: z.literal('on').optional(),
});

export const postRun = formRoute(
  { path: '/suites/:id/run', params: SuiteParams, form: Form, redisplay: showSuite },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.run');
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
  { path: '/suites/:id/crawl', params: SuiteParams, redisplay: showSuite },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.run');
    await queueCrawl(ctx, suite);
    return redirect(`/suites/${suite.id}`, 'Crawl queued');
  },
);
