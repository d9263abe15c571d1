import { z } from 'zod';
import { followSuite } from '../../suites/follow-suite.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { SuiteParams } from './params.ts';

const Form = z.object({ follow: z.enum(['yes', 'no']) });

export const postFollow = formRoute(
  { path: '/suites/:id/follow', params: SuiteParams, form: Form },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const follows = form.follow === 'yes';
    await followSuite(ctx, suite, follows);
    const notice = follows
      ? `Following ${suite.name}. Its latest run is on your dashboard.`
      : `${suite.name} is no longer on your dashboard`;
    return redirect(`/suites/${suite.id}`, notice);
  },
);
