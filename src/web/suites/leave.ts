import { z } from 'zod';
import { leaveSuite } from '../../access/grants.ts';
import { EMAIL_MAX_LENGTH, personName } from '../../auth/user.ts';
import { onSuite } from '../../http/acts-on.ts';
import { handOverSuite } from '../../suites/hand-over.ts';
import { requiredText } from '../../text/trimmed-text.ts';
import { buildFields } from '../form-field.ts';
import { formRoute, pageRoute, redirect } from '../web-route.ts';
import { atSettings } from './settings-tabs.ts';
import { suitePage } from './suite-head.ts';

/** The form that hands over suites. */
export const NEW_OWNER = {
  email: {
    label: 'Email address of the new owner',
    type: 'email',
    required: true,
    attributes: { autocomplete: 'off', maxlength: EMAIL_MAX_LENGTH },
  },
} as const;
export const NewOwner = z.object({ email: requiredText(EMAIL_MAX_LENGTH) });

/** Giving up one's role, or, for the owner, handing the suite over. */
export const getLeave = pageRoute(
  { path: '/suites/:id/leave', ...onSuite('suite.read') },
  async (ctx, { suite }, problem) => {
    const model = { problem, isOwner: suite.access.isOwner, fields: buildFields(NEW_OWNER, problem) };
    const title = suite.access.isOwner ? 'Hand over' : 'Leave';
    return suitePage(ctx, suite, atSettings(suite, 'access'), { view: 'suites/leave', title, model });
  },
);

export const postLeave = formRoute(
  { path: '/suites/:id/leave', ...onSuite('suite.read'), redisplay: getLeave.show },
  async (ctx, { suite }) => {
    await leaveSuite(ctx, suite);
    return redirect('/suites', `You left ${suite.name}`);
  },
);

export const postHandOver = formRoute(
  { path: '/suites/:id/hand-over', ...onSuite('suite.read'), form: NewOwner, redisplay: getLeave.show },
  async (ctx, { suite, viewer, form }) => {
    const owner = await handOverSuite(ctx, viewer, suite, form.email);
    return redirect(`/suites/${suite.id}/sharing`, `${personName(owner)} owns ${suite.name} now`);
  },
);
