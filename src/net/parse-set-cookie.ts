import { parseSetCookie } from 'set-cookie-parser';
import type { SiteCookie } from './sent-access.ts';

function sameSite(text: string): SiteCookie['sameSite'] {
  switch (text.toLowerCase()) {
    case 'strict':
      return 'Strict';
    case 'none':
      return 'None';
    default:
      return 'Lax';
  }
}

/** The cookies that a response sets. Their domains do not matter: what a response gives goes to the host that sent it. */
export function parseSetCookies(headers: Record<string, string>): SiteCookie[] {
  const lines = (headers['set-cookie'] ?? '').split('\n');
  return parseSetCookie(lines, { decodeValues: false, split: false, silent: true })
    .filter(({ name, value, maxAge }) => name !== '' && value !== '' && (maxAge ?? 1) > 0)
    .map((cookie) => ({
      name: cookie.name,
      value: cookie.value,
      path: cookie.path?.startsWith('/') === true ? cookie.path : '/',
      httpOnly: true,
      sameSite: sameSite(cookie.sameSite ?? ''),
    }));
}
