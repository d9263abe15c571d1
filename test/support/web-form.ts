import type { Answer, TestApi } from './api-client.ts';

type Posted = { token?: string | undefined; headers?: Record<string, string> };

/** Sends a form as a browser does. `headers` replace the browser's own. */
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

/** The status of a response and the target of its redirect. */
export const ledTo = ({ status, headers }: Answer) => [status, headers.get('location')];

/** The cookie of this name that a response sets, with its attributes, or undefined. */
export const cookieSet = ({ headers }: Answer, name: string) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
