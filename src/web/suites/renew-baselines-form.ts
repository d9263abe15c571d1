import { z } from 'zod';
import { renewBaselines } from '../../review/approval/renew-baselines.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { formatCount } from '../../text/format.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { SuiteParams } from './params.ts';
import { showSuite } from './show.ts';

export const postRenewBaselines = formRoute(
  { path: '/suites/:id/renew-baselines', params: SuiteParams, form: z.object({}), redisplay: showSuite },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.approve');
    const versions = await renewBaselines(ctx, suite);
    return redirect(`/suites/${suite.id}`, `${formatCount(versions, 'baseline')} renewed`);
  },
);
