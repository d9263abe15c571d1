import { z } from 'zod';
import { BRANCH_MAX_LENGTH } from '../../runs/run.ts';
import { startRun } from '../../runs/start-run.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { SuiteParams } from './params.ts';
import { showSuite } from './show.ts';

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
