import { z } from 'zod';
import type { AccountLink } from '../../auth/account.ts';
import { readLinks, unlinkAccount } from '../../auth/unlink-account.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { Id } from '../form-values.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';

const nameLink = ({ login, accountId }: AccountLink) => (login === null ? `ID ${accountId}` : `@${login}`);

function linkRow(link: AccountLink, isOnlyWayIn: boolean) {
  const name = nameLink(link);
  return {
    name,
    linkedAt: link.linkedAt,
    unlink: isOnlyWayIn
      ? null
      : {
          label: 'Unlink',
          small: true,
          question: `Unlink the GitHub account ${name}? You can no longer sign in with it, and it no longer links repositories or approves changes for you.`,
          button: 'Unlink account',
          action: `/account/linked/${link.id}/unlink`,
          fields: [],
        },
  };
}

/** What the account page shows of linked accounts. `withPassword`: the viewer can sign in without them. */
export async function linkedAccountsModel(ctx: Context, viewer: Viewer, withPassword: boolean) {
  const [links, configured] = await Promise.all([readLinks(ctx, viewer), isSignInConfigured(ctx)]);
  const isOnlyWayIn = links.length === 1 && !withPassword;
  return {
    configured,
    link: configured ? '/api/auth/github?next=/account' : null,
    accounts: links.map((link) => linkRow(link, isOnlyWayIn)),
    isOnlyWayIn,
  };
}

export const postUnlink = formRoute(
  { path: '/account/linked/:linkId/unlink', params: z.object({ linkId: Id }), form: z.object({}) },
  async (ctx, { viewer, params }) => {
    await unlinkAccount(ctx, viewer, params.linkId);
    return redirect('/account', 'GitHub account unlinked');
  },
);
