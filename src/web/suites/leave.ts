import { z } from 'zod';
import { leaveSuite } from '../../access/grants.ts';
import { EMAIL_MAX_LENGTH } from '../../auth/email.ts';
import { displaySummary } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { handOverSuite } from '../../suites/hand-over.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { buildFields } from '../form-field.ts';
import { SuiteParams } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { atSettings } from './settings-tabs.ts';
import { suitePage, type SuiteRequest } from './suite-head.ts';

/** The form that hands over suites. */
export const NEW_OWNER = {
  email: {
    label: 'Email address of the new owner',
    type: 'email',
    required: true,
    attributes: { autocomplete: 'off', maxlength: EMAIL_MAX_LENGTH },
  },
} as const;
export const NewOwner = z.object({ email: trimmedText(EMAIL_MAX_LENGTH).min(1, 'must not be empty') });

/** Giving up one's role, or, for the owner, handing the suite over. */
async function showLeave(
  ctx: Context,
  { viewer, params }: SuiteRequest,
  problem: Problem | null = null,
): Promise<Reply> {
  const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
  const model = {
    problem,
    isOwner: suite.access.isOwner,
    fields: buildFields(NEW_OWNER, problem),
    leave: `/suites/${suite.id}/leave`,
    handOver: `/suites/${suite.id}/hand-over`,
  };
  const title = suite.access.isOwner ? 'Hand over' : 'Leave';
  return suitePage(ctx, suite, atSettings(suite, 'access'), { view: 'suites/leave', title, model });
}

export const getLeave = pageRoute({ path: '/suites/:id/leave', params: SuiteParams }, showLeave);

export const postLeave = formRoute(
  { path: '/suites/:id/leave', params: SuiteParams, redisplay: showLeave },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    await leaveSuite(ctx, suite);
    return redirect('/suites', `You left ${suite.name}`);
  },
);

export const postHandOver = formRoute(
  {
    path: '/suites/:id/hand-over',
    params: SuiteParams,
    form: NewOwner,
    redisplay: showLeave,
  },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const owner = await handOverSuite(ctx, viewer, suite, form.email);
    return redirect(`/suites/${suite.id}/sharing`, `${displaySummary(owner)} owns ${suite.name} now`);
  },
);
