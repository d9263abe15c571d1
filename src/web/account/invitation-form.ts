import { z } from 'zod';
import { personName, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { signBrowserIn } from '../../http/cookies.ts';
import * as invitations from '../../suites/invitations/accept-invitation.ts';
import { invitationPath, type OpenedInvitation } from '../../suites/invitations/invitation.ts';
import { buildFields, type Problem } from '../form-field.ts';
import { ROLE_NAMES } from '../permissions.ts';
import { formRoute, publicFormRoute, publicPageRoute, redirect, withQuery } from '../web-route.ts';
import { EMAIL, NAME, NEW_PASSWORD, otherWays, RegisterForm } from './sign-in-form.ts';

const Params = z.object({ token: z.string().min(1).max(200) });

/** What a signed-in person can do with the invitation. */
async function accountModel(ctx: Context, viewer: Viewer, invitation: OpenedInvitation) {
  const held = await invitations.roleHeld(ctx, viewer, invitation);
  return {
    email: viewer.email,
    held: held === null ? null : ROLE_NAMES[held],
    mayAccept: await invitations.mayAccept(ctx, viewer, invitation),
    suiteHref: `/suites/${invitation.testSuiteId}`,
  };
}

/** The form for somebody who has no account yet. */
async function registrationModel(ctx: Context, path: string, { email }: OpenedInvitation, problem: Problem | null) {
  const invited = email === null ? {} : { value: email, attributes: { ...EMAIL.attributes, readonly: '' } };
  const fields = { name: { ...NAME, autofocus: true }, email: { ...EMAIL, ...invited }, password: NEW_PASSWORD };
  return {
    action: `${path}/register`,
    fields: ctx.config.passwordSignIn ? buildFields(fields, problem) : null,
    signIn: withQuery('/sign-in', { next: path }),
    ways: await otherWays(ctx, { next: path }),
  };
}

export const getInvitation = publicPageRoute(
  { path: '/invitations/:token', params: Params, rateLimit: 'invitation' },
  async (ctx, { viewer, params }, problem) => {
    const page = { kind: 'page', title: 'Invitation', width: 'narrow' } as const;
    const invitation = await invitations.findInvitation(ctx, params.token);
    if (invitation === null) return { ...page, view: 'account/invitation-lapsed', model: {}, status: 400 };
    const path = invitationPath(params.token);
    const model = {
      problem,
      action: path,
      suiteName: invitation.suiteName,
      by: personName(invitation.invitedBy),
      role: ROLE_NAMES[invitation.role],
      email: invitation.email,
      account: viewer === null ? null : await accountModel(ctx, viewer, invitation),
      registration: viewer === null ? await registrationModel(ctx, path, invitation, problem) : null,
    };
    return { ...page, view: 'account/invitation', model };
  },
);

/** Opening the page does not accept the invitation. Only the button does, so no other page can make somebody join. */
export const postInvitation = formRoute(
  { path: '/invitations/:token', params: Params, rateLimit: 'invitation', redisplay: getInvitation.show },
  async (ctx, { viewer, params }) => {
    const { testSuiteId, role } = await invitations.acceptInvitation(ctx, viewer, params.token);
    return redirect(`/suites/${testSuiteId}`, `Your role here is ${ROLE_NAMES[role]}`);
  },
);

export const postRegisterInvited = publicFormRoute(
  {
    path: '/invitations/:token/register',
    params: Params,
    form: RegisterForm,
    rateLimit: 'register',
    redisplay: getInvitation.show,
  },
  async (ctx, { params, form, cookies }) => {
    const joined = await invitations.registerInvited(ctx, params.token, form);
    signBrowserIn(ctx, cookies, joined);
    return redirect(
      `/suites/${joined.testSuiteId}`,
      `Welcome to Pixelgate. Your role here is ${ROLE_NAMES[joined.role]}.`,
    );
  },
);
