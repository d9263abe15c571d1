import type { Answer, TestApi } from './api-client.ts';

type Posted = { token?: string | undefined; headers?: Record<string, string> };

/** A form of a page as a browser sends it; other headers replace its own. */
export async function postForm(
  api: TestApi,
  path: string,
  fields: Record<string, string> | [string, string][] = {},
  { token, headers }: Posted = {},
): Promise<Answer> {
  const raw = new URLSearchParams(fields).toString();
  const own = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: api.url };
  return api.request('POST', path, { token, raw, headers: { ...own, ...headers } });
}

/** Where an answer leads, with its status. */
export const ledTo = ({ status, headers }: Answer) => [status, headers.get('location')];

/** A cookie that an answer sets, with its attributes; undefined: it sets none of this name. */
export const cookieSet = ({ headers }: Answer, name: string) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
