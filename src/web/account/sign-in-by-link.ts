import { z } from 'zod';
import { redeemSignInLink } from '../../auth/sign-in-link.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { ownPath } from '../../http/own-path.ts';
import { signBrowserIn } from '../../http/sign-browser-in.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { withQuery } from '../pager.ts';
import type { Cookies } from '../../http/cookies.ts';
import { publicFormRoute, publicPageRoute } from '../web-route.ts';
import { NextQuery, readNext } from './next.ts';

const Params = z.object({ token: z.string().min(1).max(200) });

type LinkRequest = { params: z.output<typeof Params>; query: z.output<typeof NextQuery>; cookies: Cookies };

async function redeem(ctx: Context, { params, query, cookies }: LinkRequest): Promise<Reply> {
  try {
    signBrowserIn(ctx, cookies, await redeemSignInLink(ctx, params.token));
    return redirect(ownPath(query.next));
  } catch (error) {
    if (!(error instanceof AppError) || error.details.code !== 'sign_in_link_invalid') throw error;
    const model = { signIn: withQuery('/sign-in', readNext(query)) };
    return { kind: 'page', view: 'account/link-lapsed', title: 'Sign in', model, status: 400, width: 'narrow' };
  }
}

/**
 * A link on another person's page could sign a visitor in to that person's account, and a prefetch would use up the
 * link. In these cases we ask first.
 */
export const getSignInLink = publicPageRoute(
  { path: '/sign-in/:token', params: Params, query: NextQuery },
  async (ctx, request) => {
    if (request.deliberate) return redeem(ctx, request);
    const model = { action: request.url, viewerEmail: request.viewer?.email ?? null };
    return { kind: 'page', view: 'account/confirm-link', title: 'Sign in', model, width: 'narrow' };
  },
);

export const postSignInLink = publicFormRoute(
  { path: '/sign-in/:token', params: Params, query: NextQuery, form: z.object({}) },
  redeem,
);
