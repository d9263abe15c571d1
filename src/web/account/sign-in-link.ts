import { z } from 'zod';
import { redeemSignInLink } from '../../auth/sign-in-link.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { ownPath } from '../../http/own-path.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { withQuery } from '../pager.ts';
import type { Cookies } from '../row.ts';
import { openAction, openPage } from '../row.ts';
import { NextQuery, nextOf } from './next.ts';

const Params = z.object({ token: z.string().min(1).max(200) });

type LinkCall = { params: z.output<typeof Params>; query: z.output<typeof NextQuery>; cookies: Cookies };

async function redeem(ctx: Context, { params, query, cookies }: LinkCall): Promise<Answer> {
  try {
    const { token } = await redeemSignInLink(ctx, params.token);
    cookies.signIn(token);
    return leadTo(ownPath(query.next));
  } catch (error) {
    if (!(error instanceof AppError) || error.details.code !== 'sign_in_link_invalid') throw error;
    const model = { signIn: withQuery('/sign-in', nextOf(query)) };
    return { kind: 'page', view: 'account/link-lapsed', title: 'Sign in', model, status: 400, width: 'narrow' };
  }
}

/**
 * A link that somebody else's page holds could sign a visitor in to that somebody's account, and a look ahead would use
 * it up: these are asked first.
 */
export const getSignInLink = openPage(
  { path: '/sign-in/:token', params: Params, query: NextQuery },
  async (ctx, call) => {
    if (call.meant) return redeem(ctx, call);
    const model = { action: call.address, viewerEmail: call.viewer?.email ?? null };
    return { kind: 'page', view: 'account/confirm-link', title: 'Sign in', model, width: 'narrow' };
  },
);

export const postSignInLink = openAction(
  { path: '/sign-in/:token', params: Params, query: NextQuery, form: z.object({}) },
  redeem,
);
