import { parseUrl } from '../text/parse-url.ts';
import { redirectTarget, type FetchResponse } from './network.ts';

/** What stands between a visitor and a page. `login`: a login of any other kind. */
export type Wall = 'vercel' | 'cloudflareAccess' | 'netlify' | 'basic' | 'login';

type Answer = Pick<FetchResponse, 'status' | 'headers'> & { body?: Buffer | string };

const LOGIN_PATH = /\/(log[-_]?in|sign[-_]?in|authenticate|session\/new|wp-login)(\.\w+)?\/?$/i;
/** On another host, these words in a path mean a login and not, for example, a chapter of a manual. */
const IDENTITY_PATH = /\/(auth|authorize|sso|oauth2?|saml2?)\/?$/i;

/** Whether a path looks like that of a login page, such as `/users/sign_in`. */
export function isLoginPath(path: string): boolean {
  return LOGIN_PATH.test(path);
}

/** The wall that a redirect to this address on another host means. Null: it is not a login. */
export function wallAt(address: string): Wall | null {
  const url = parseUrl(address);
  if (url === null) return null;
  const { hostname, pathname } = url;
  if (/(^|\.)vercel\.com$/.test(hostname)) return 'vercel';
  if (hostname.endsWith('.cloudflareaccess.com')) return 'cloudflareAccess';
  if (/^(login|signin|auth|sso|accounts?|id|idp)[.-]/.test(hostname)) return 'login';
  return isLoginPath(pathname) || IDENTITY_PATH.test(pathname) ? 'login' : null;
}

export function hasPasswordField(html: string): boolean {
  const [, ...inputs] = html.split(/<input\b/i);
  return inputs.some((input) => /\btype\s*=\s*["']?password\b/i.test(input.split('>', 1)[0] ?? ''));
}

function recognizeRefusal({ headers, body = '' }: Answer): Wall {
  const text = body.toString().slice(0, 100_000);
  const challenge = headers['www-authenticate'] ?? '';
  const isVercel = headers['server']?.toLowerCase() === 'vercel' || headers['x-vercel-id'] !== undefined;
  if (isVercel && !/^basic\b/i.test(challenge)) return 'vercel';
  if (/cloudflare-access/i.test(challenge) || headers['cf-access-domain'] !== undefined) return 'cloudflareAccess';
  if (/cloudflareaccess\.com|Cloudflare Access/.test(text)) return 'cloudflareAccess';
  if (/(^|,\s*)basic\b/i.test(challenge)) return 'basic';
  const isNetlify = /netlify/i.test(headers['server'] ?? '') || headers['x-nf-request-id'] !== undefined;
  return isNetlify && hasPasswordField(text) ? 'netlify' : 'login';
}

/** Whether a status refuses the visitor, so that a wall may have sent it. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403 || status === 407;

/**
 * The wall that a response comes from, recognized by what each host is known to send. Null: it may be the page itself.
 */
export function recognizeWall(answer: Answer, address: string): Wall | null {
  const { status, headers, body = '' } = answer;
  const next = redirectTarget({ status, headers }, address);
  if (next !== null) {
    const [from, to] = [new URL(address), new URL(next)];
    if (from.host !== to.host) return wallAt(next);
    return isLoginPath(to.pathname) && !isLoginPath(from.pathname) ? 'login' : null;
  }
  if (isRefusal(status)) return recognizeRefusal(answer);
  return status === 200 && /name=["']?_vercel_password\b/.test(body.toString()) ? 'vercel' : null;
}
