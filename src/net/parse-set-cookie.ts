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

/** One `Set-Cookie` header. Its domain does not matter: what it gives goes to the host that sent it. Null: no cookie. */
function parseSetCookie(header: string): SiteCookie | null {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1) return null;
  const read = (name: string) => {
    const found = attributes.find((each) => each.toLowerCase().split('=')[0]?.trim() === name);
    return found === undefined ? null : found.slice(name.length + 1).trim();
  };
  const value = pair.slice(at + 1);
  if (read('max-age') === '0' || value === '') return null;
  const path = read('path') ?? '';
  return {
    name: pair.slice(0, at),
    value,
    path: path.startsWith('/') ? path : '/',
    httpOnly: true,
    sameSite: sameSite(read('samesite') ?? ''),
  };
}

/** The cookies that a response sets. */
export function parseSetCookies(headers: Record<string, string>): SiteCookie[] {
  const lines = (headers['set-cookie'] ?? '').split('\n');
  return lines.flatMap((line) => parseSetCookie(line) ?? []);
}
