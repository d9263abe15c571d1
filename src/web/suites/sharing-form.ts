import { z } from 'zod';
import { authorize } from '../../access/authorized.ts';
import { changeGrant, leaveSuite, listGrants, revokeGrant, shareSuite } from '../../access/grants.ts';
import { SUITE_ROLES, type Grant } from '../../access/role.ts';
import { findAccountByEmail } from '../../auth/find-account.ts';
import { EMAIL_MAX_LENGTH, personName, type UserSummary, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import { invite, readInvitations, withdrawInvitation, type InviteInput } from '../../suites/invitations/invite.ts';
import { handOverSuite } from '../../suites/suite-life.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { requiredText } from '../../text/input-words.ts';
import { asking, buildFields, ofForm, PageQuery, toOptions, type Problem } from '../form-field.ts';
import { listPermissions, ROLE_NAMES, ROLE_SENTENCES } from '../permissions.ts';
import { backToLast, buildPager, formRoute, pagePart, pageRoute, redirect, type Reply } from '../web-route.ts';
import { atSettings, showOnce, suitePage } from './suite-head.ts';

/** The open invitations, for people who may share. */
async function listInvitations(ctx: Context, suite: SuiteFor<'suite.share'>) {
  const open = await readInvitations(ctx, suite);
  return open.map(({ id, email, role, invitedBy, expiresAt }) => ({
    who: email ?? 'Anyone with the link',
    role: ROLE_NAMES[role],
    by: personName(invitedBy),
    expiresAt,
    withdraw: asking(
      'Withdraw',
      `Withdraw the invitation${email === null ? '' : ` of ${email}`}? Its link stops working.`,
      `/suites/${suite.id}/invitations/${id}/withdraw`,
      { small: true, button: 'Withdraw invitation' },
    ),
  }));
}

/** Creates an invitation and shows its link, once. */
async function showNewInvitation(ctx: Context, suite: SuiteFor<'suite.share'>, input: InviteInput): Promise<Reply> {
  const { invitation, url, isMailed } = await invite(ctx, suite, input);
  const { email, role, expiresAt } = invitation;
  const model = { url, email, isMailed, role: ROLE_NAMES[role], expiresAt, back: `/suites/${suite.id}/sharing` };
  return showOnce(suite, { view: 'suites/invitation-created', title: 'New invitation', model });
}

export const postInvitationLink = formRoute(
  { path: '/suites/:id/invitations', ...onSuite('suite.share'), form: z.object({ role: z.enum(SUITE_ROLES) }) },
  async (ctx, { suite, form }) => showNewInvitation(ctx, suite, form),
);

export const postWithdrawInvitation = formRoute(
  { path: '/suites/:id/invitations/:invitationId/withdraw', ...inSuite('suite.share', { invitationId: Id }) },
  async (ctx, { suite, params }) => {
    await withdrawInvitation(ctx, suite, params.invitationId);
    return redirect(`/suites/${suite.id}/sharing`, 'Invitation withdrawn');
  },
);

const Role = z.enum(SUITE_ROLES);
const roleOptions = toOptions(ROLE_NAMES);

function personModel(user: UserSummary | null) {
  return { name: personName(user), email: user?.email ?? null };
}

function grantModel(suiteId: string, viewer: Viewer, grant: Grant) {
  const person = personModel(grant.user);
  const path = `/suites/${suiteId}/sharing/${grant.id}`;
  return {
    ...person,
    isViewer: grant.principal.id === viewer.id,
    role: ROLE_NAMES[grant.role],
    was: grant.role,
    roles: roleOptions.map((option) => ({ ...option, selected: option.value === grant.role })),
    selectId: `role-${grant.id}`,
    since: grant.createdAt,
    by: grant.grantedBy === null ? null : personModel(grant.grantedBy).name,
    changeHref: path,
    revoke: asking('Revoke', `Revoke ${person.name}’s access? They will no longer see the suite.`, `${path}/revoke`, {
      small: true,
      button: 'Revoke access',
    }),
  };
}

/** Every problem with a share is shown at the field that names the person. */
function atEmail(problem: Problem | null): Problem | null {
  if (problem === null || Object.keys(problem.fields).length > 0) return problem;
  return { ...problem, fields: { email: problem.message } };
}

function shareFields(problem: Problem | null) {
  return buildFields(
    {
      email: {
        label: 'Email address',
        type: 'email',
        required: true,
        note: 'Whoever has no account yet gets an invitation.',
        attributes: { autocomplete: 'off', maxlength: EMAIL_MAX_LENGTH },
      },
      role: { label: 'Role', type: 'select', value: 'VIEWER', options: roleOptions },
    },
    atEmail(problem),
  );
}

const GRANTS_AT_ONCE = 100;

export const getSharing = pageRoute(
  { path: '/suites/:id/sharing', ...onSuite('suite.read'), query: PageQuery },
  async (ctx, { suite, query }, problem) => {
    const { viewer } = suite;
    const path = `/suites/${suite.id}/sharing`;
    const shown = { page: query.page, size: GRANTS_AT_ONCE, path };
    const back = backToLast(shown, suite.shareCount);
    if (back !== null) return back;
    const { owner, grants } = await listGrants(ctx, suite, pagePart(shown));
    const mayShare = listPermissions(suite.access).share;
    const invitations = mayShare ? await listInvitations(ctx, authorize(viewer, suite, 'suite.share')) : [];
    const ofShare = ofForm(problem, 'email');
    const model = {
      problem: ofShare === null ? problem : null,
      path,
      invitations,
      roleOptions,
      pager: buildPager(shown, suite.shareCount),
      owner: { ...personModel(owner), isViewer: suite.access.isOwner },
      grants: grants.map((grant) => grantModel(suite.id, viewer, grant)),
      fields: shareFields(ofShare),
      roles: SUITE_ROLES.map((role) => ({ name: ROLE_NAMES[role], sentence: ROLE_SENTENCES[role] })),
    };
    return suitePage(ctx, suite, atSettings(suite, 'access'), { view: 'suites/sharing', title: 'Sharing', model });
  },
);

const ShareForm = z.object({ email: requiredText(EMAIL_MAX_LENGTH), role: Role });

export const postSharing = formRoute(
  {
    path: '/suites/:id/sharing',
    ...onSuite('suite.share'),
    form: ShareForm,
    rateLimit: 'invite',
    redisplay: getSharing.show,
  },
  async (ctx, { suite, form }) => {
    if ((await findAccountByEmail(ctx, form.email)) === null) return showNewInvitation(ctx, suite, form);
    const grant = await shareSuite(ctx, suite, form);
    return redirect(
      `/suites/${suite.id}/sharing`,
      `Shared with ${personModel(grant.user).name} as ${ROLE_NAMES[grant.role]}`,
    );
  },
);

/** People may lower their own role. They then see less. `was`: the role that the page showed. */
export const postGrant = formRoute(
  {
    path: '/suites/:id/sharing/:grantId',
    ...inSuite('suite.share', { grantId: Id }),
    form: z.object({ role: Role, was: Role.optional() }),
    redisplay: getSharing.show,
  },
  async (ctx, { suite, params, form }) => {
    const grant = await changeGrant(ctx, suite, { grantId: params.grantId, ...form });
    return redirect(
      `/suites/${suite.id}/sharing`,
      `${personModel(grant.user).name} now has the ${ROLE_NAMES[grant.role]} role`,
    );
  },
);

export const postRevoke = formRoute(
  {
    path: '/suites/:id/sharing/:grantId/revoke',
    ...inSuite('suite.share', { grantId: Id }),
    redisplay: getSharing.show,
  },
  async (ctx, { suite, viewer, params }) => {
    const { principal } = await revokeGrant(ctx, suite, params);
    return principal.id === viewer.id
      ? redirect('/suites', `You left ${suite.name}`)
      : redirect(`/suites/${suite.id}/sharing`, 'Access revoked');
  },
);

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
