import type { WorkerContext } from '../../context.ts';
import { FetchError, type FetchResponse } from '../../net/network.ts';
import { hasPasswordField, isRefusal } from '../../net/recognize-wall.ts';
import {
  cookiesOf,
  headersFor,
  isSentTo,
  parseSetCookies,
  type SentAccess,
  type SiteCookie,
} from '../../net/sent-access.ts';
import type { SiteSecrets } from './site-access.ts';

type SessionContext = Pick<WorkerContext, 'network' | 'browser'>;

/** The request options of the suite. `timeout` in milliseconds. */
type Visitor = { userAgent: string; timeout: number };

/** The login failed. The message is for people and contains no secret. */
export class LoginFailed extends Error {}

type Sent = SentAccess['headers'];

const VERCEL = 'x-vercel-protection-bypass';

/** The part that needs no request. */
function plainAccess(secrets: SiteSecrets, origin: string): SentAccess {
  const { basic, storageState } = secrets;
  const credentials =
    basic === undefined ? null : Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return {
    origin,
    headers: [
      ...(secrets.headers ?? []).map(({ name, value }) => ({ name: name.toLowerCase(), value })),
      ...(credentials === null ? [] : [{ name: 'authorization', value: `Basic ${credentials}` }]),
    ],
    cookies: [
      ...cookiesOf(origin, storageState?.cookies ?? []),
      ...(secrets.cookies ?? []).map((cookie) => ({ ...cookie, sameSite: 'Lax' as const })),
    ],
    localStorage: (storageState?.origins ?? []).flatMap((each) =>
      isSentTo({ origin }, each.origin) ? each.localStorage : [],
    ),
  };
}

async function request(
  { network }: SessionContext,
  sent: SentAccess,
  visitor: Visitor,
  more: { headers?: Sent; form?: Record<string, string> },
): Promise<FetchResponse> {
  const url = `${sent.origin}/`;
  const { userAgent, timeout } = visitor;
  const headers = {
    ...headersFor(sent, url),
    ...Object.fromEntries((more.headers ?? []).map((h) => [h.name, h.value])),
  };
  return network.fetch({
    url,
    userAgent,
    timeout,
    maxBytes: 64 * 1024,
    headers,
    ...(more.form === undefined ? {} : { form: more.form }),
  });
}

const joined = (sent: SentAccess, cookies: SiteCookie[]): SentAccess => ({
  ...sent,
  cookies: [...sent.cookies.filter(({ name }) => !cookies.some((cookie) => cookie.name === name)), ...cookies],
});

/** Sends the headers once, and then the cookie from the response. Without a cookie, the headers are always sent. */
async function trade(
  ctx: SessionContext,
  sent: SentAccess,
  visitor: Visitor,
  { headers, ask, cookie }: { headers: Sent; ask: Sent; cookie: string },
): Promise<SentAccess> {
  const always = { ...sent, headers: [...sent.headers, ...headers] };
  try {
    const response = await request(ctx, sent, visitor, { headers: [...headers, ...ask] });
    const found = parseSetCookies(response.headers).filter(({ name }) => name === cookie);
    return found.length === 0 ? always : joined(sent, found);
  } catch (error) {
    if (error instanceof FetchError) return always;
    throw error;
  }
}

async function passNetlify(
  ctx: SessionContext,
  sent: SentAccess,
  visitor: Visitor,
  password: string,
): Promise<SentAccess> {
  try {
    const response = await request(ctx, sent, visitor, { form: { password } });
    const cookies = parseSetCookies(response.headers);
    if (response.status < 400 && cookies.length > 0) return joined(sent, cookies);
    // Netlify may protect previews alone. Then the suite's own site does not ask.
    if (!isRefusal(response.status) && !hasPasswordField(response.body.toString())) return sent;
    throw new LoginFailed(
      `${new URL(sent.origin).host} did not accept the Netlify password (it returned ${response.status})`,
    );
  } catch (error) {
    if (error instanceof FetchError) throw new LoginFailed(error.message);
    throw error;
  }
}

/**
 * Logs in to this origin with as few requests as possible.
 * @throws LoginFailed, CaptureError (a form login)
 */
export async function openSession(
  ctx: SessionContext,
  secrets: SiteSecrets,
  origin: string,
  visitor: Visitor,
): Promise<SentAccess> {
  let sent = plainAccess(secrets, origin);
  const { vercel, cloudflareAccess, netlify, login } = secrets;
  if (vercel !== undefined) {
    const headers = [{ name: VERCEL, value: vercel.secret }];
    const ask = [{ name: 'x-vercel-set-bypass-cookie', value: 'true' }];
    sent = await trade(ctx, sent, visitor, { headers, ask, cookie: '_vercel_jwt' });
  }
  if (cloudflareAccess !== undefined) {
    const headers = [
      { name: 'cf-access-client-id', value: cloudflareAccess.clientId },
      { name: 'cf-access-client-secret', value: cloudflareAccess.clientSecret },
    ];
    sent = await trade(ctx, sent, visitor, { headers, ask: [], cookie: 'CF_Authorization' });
  }
  if (netlify !== undefined) sent = await passNetlify(ctx, sent, visitor, netlify.password);
  if (login === undefined) return sent;
  const { path, fields, submit, success } = login;
  const form = { url: origin + path, access: sent, fields, submit, success, ...visitor };
  const { cookies, localStorage } = await ctx.browser.signIn(form);
  return { ...joined(sent, cookies), localStorage: [...sent.localStorage, ...localStorage] };
}
