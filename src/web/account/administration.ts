import { z } from 'zod';
import * as accounts from '../../auth/manage-accounts.ts';
import { ACCOUNT_SEARCH_MAX_LENGTH, displayName, type ManagedAccount, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id } from '../../http/acts-on.ts';
import { handOverAll, listOwnedSuites } from '../../suites/suite-life.ts';
import { formatCount } from '../../text/format.ts';
import type { Badge } from '../badge.ts';
import { asking, buildFields, PageNumber } from '../form-field.ts';
import { NEW_OWNER, NewOwner } from '../suites/sharing-form.ts';
import { backToLast, buildPager, formRoute, pagePart, pageRoute, redirect } from '../web-route.ts';

const PATH = '/admin/accounts';
const ACCOUNTS_AT_ONCE = 50;
const SUITES_NAMED = 100;

const Query = z.object({
  search: z.string().trim().max(ACCOUNT_SEARCH_MAX_LENGTH).catch(''),
  page: PageNumber,
});

function badges({ administrator, disabledAt }: ManagedAccount): Badge[] {
  return [
    ...(administrator === null ? [] : [{ label: 'Administrator', tone: 'accent', icon: 'gear' } as const]),
    ...(disabledAt === null ? [] : [{ label: 'Disabled', tone: 'danger', icon: 'circle-slash' } as const]),
  ];
}

const rowOf = (account: ManagedAccount, viewer: Viewer) => ({
  ...account,
  href: `${PATH}/${account.id}`,
  name: displayName(account),
  isViewer: account.id === viewer.id,
  badges: badges(account),
});

export const getAccounts = pageRoute({ path: PATH, query: Query }, async (ctx, { viewer, query }) => {
  const { search, page } = query;
  const shown = { page, size: ACCOUNTS_AT_ONCE, path: PATH, query: { search } };
  const { items, total } = await accounts.listAccounts(ctx, viewer, { search, ...pagePart(shown) });
  const back = backToLast(shown, total);
  if (back !== null) return back;
  const model = {
    path: PATH,
    search,
    maxLength: ACCOUNT_SEARCH_MAX_LENGTH,
    total: formatCount(total, 'account'),
    accounts: items.map((account) => rowOf(account, viewer)),
    pager: buildPager(shown, total),
  };
  return { kind: 'page', view: 'account/accounts', title: 'Accounts', model, section: 'account' };
});

const Params = z.object({ accountId: Id });

function actions(account: ManagedAccount, path: string, passwords: boolean) {
  const name = displayName(account);
  const isDisabled = account.disabledAt !== null;
  return {
    disable: isDisabled
      ? null
      : asking(
          'Disable',
          `Disable ${name}? They are signed out, and their tokens stop working at once.`,
          `${path}/disable`,
        ),
    enable: isDisabled ? `${path}/enable` : null,
    signOut: asking('Sign out everywhere', `End all sessions and personal tokens of ${name}?`, `${path}/sign-out`),
    reset: passwords && !isDisabled ? `${path}/password-reset` : null,
    promote: account.administrator === null ? `${path}/make-administrator` : null,
    demote:
      account.administrator === null
        ? null
        : asking('Remove as administrator', `Remove ${name} as administrator?`, `${path}/remove-administrator`),
    isByGroup: account.administrator === 'GROUP',
  };
}

export const getManagedAccount = pageRoute(
  { path: `${PATH}/:accountId`, params: Params },
  async (ctx, { viewer, params }, problem) => {
    const account = await accounts.readManagedAccount(ctx, viewer, params.accountId);
    const suites = await listOwnedSuites(ctx, viewer, account.id, SUITES_NAMED);
    const path = `${PATH}/${account.id}`;
    const model = {
      account: rowOf(account, viewer),
      above: { href: PATH, label: 'Accounts' },
      problem,
      ...actions(account, path, ctx.config.passwordSignIn),
      suites: suites.map(({ name }) => name),
      isCut: suites.length === SUITES_NAMED,
      handOver: `${path}/hand-over`,
      fields: buildFields(NEW_OWNER, problem),
    };
    return { kind: 'page', view: 'account/managed', title: displayName(account), model, section: 'account' };
  },
);

/** A form with one button. @param notice what the page says then */
const button = (
  step: string,
  act: (ctx: Context, viewer: Viewer, accountId: string) => Promise<unknown>,
  notice: string,
) =>
  formRoute(
    { path: `${PATH}/:accountId/${step}`, params: Params, redisplay: getManagedAccount.show },
    async (ctx, { viewer, params }) => {
      await act(ctx, viewer, params.accountId);
      // People who gave it up no longer see the page.
      const to =
        step === 'remove-administrator' && params.accountId === viewer.id ? '/account' : `${PATH}/${params.accountId}`;
      return redirect(to, notice);
    },
  );

const changing = (step: string, change: Parameters<typeof accounts.changeManagedAccount>[3], notice: string) =>
  button(step, async (ctx, viewer, id) => accounts.changeManagedAccount(ctx, viewer, id, change), notice);

export const postDisable = changing('disable', { disabled: true }, 'Account disabled');
export const postEnable = changing('enable', { disabled: false }, 'Account enabled');
export const postMakeAdministrator = changing('make-administrator', { administrator: true }, 'Administrator added');
export const postRemoveAdministrator = changing(
  'remove-administrator',
  { administrator: false },
  'Administrator removed',
);

export const postSignOutAccount = button('sign-out', accounts.signOutAccount, 'Signed out everywhere');
export const postPasswordReset = button('password-reset', accounts.sendPasswordReset, 'The link is on its way');

export const postHandOverAll = formRoute(
  { path: `${PATH}/:accountId/hand-over`, params: Params, form: NewOwner, redisplay: getManagedAccount.show },
  async (ctx, { viewer, params, form }) => {
    const moved = await handOverAll(ctx, viewer, params.accountId, form.email);
    return redirect(`${PATH}/${params.accountId}`, `Handed over ${formatCount(moved, 'suite')}`);
  },
);
