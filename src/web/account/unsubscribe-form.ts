import { z } from 'zod';
import { findUnsubscriber, unsubscribe } from '../../notices/unsubscribe.ts';
import type { Reply } from '../reply.ts';
import { publicFormRoute, publicPageRoute, type Route } from '../web-route.ts';

const PATH = '/unsubscribe/:token';
const Params = z.object({ token: z.string().min(1).max(200) });

const show = (model: { email: string | null; isDone: boolean }, status = 200): Reply => ({
  kind: 'page',
  title: 'Unsubscribe',
  width: 'narrow',
  view: 'account/unsubscribe',
  model,
  status,
});

/** Opening the link changes nothing: programs that look at mails open every link. */
export const getUnsubscribe = publicPageRoute({ path: PATH, params: Params }, async (ctx, { params }) => {
  const person = await findUnsubscriber(ctx, params.token);
  return show({ email: person?.email ?? null, isDone: false }, person === null ? 400 : 200);
});

/**
 * The page's button, and the one click of a mail program (RFC 8058). Its server sends no cookie and either type of form, and is not
 * redirected. Only the link says who unsubscribes, so the body is not read.
 */
export const postUnsubscribe: Route = {
  ...publicFormRoute({ path: PATH, params: Params }, async (ctx, { params }) => {
    const person = await findUnsubscriber(ctx, params.token);
    if (person === null) return show({ email: null, isDone: false }, 400);
    await unsubscribe(ctx, person);
    return show({ email: person.email, isDone: true });
  }),
  upload: true,
};
