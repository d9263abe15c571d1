import type { Answer, TestApi } from './api-client.ts';

type Posted = { token?: string | undefined; headers?: Record<string, string> };

/** Sends a form as a browser does. A list is sent as several fields of the same name. `headers` replace the browser's own. */
export async function postForm(
  api: TestApi,
  path: string,
  fields: Record<string, string | string[]> | [string, string][] = {},
  { token, headers }: Posted = {},
): Promise<Answer> {
  const named: [string, string | string[]][] = Array.isArray(fields) ? fields : Object.entries(fields);
  const pairs = named.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
  const raw = new URLSearchParams(pairs).toString();
  const own = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: api.url };
  return api.request('POST', path, { token, raw, headers: { ...own, ...headers } });
}

/** The status of a response and the target of its redirect. */
export const ledTo = ({ status, headers }: Answer) => [status, headers.get('location')];

/** The cookie of this name that a response sets, with its attributes, or undefined. */
export const cookieSet = ({ headers }: { headers: Headers }, name: string) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));

/** The same as a browser sends it back: `name=value`, or empty. */
export const cookieOf = (answer: { headers: Headers }, name: string): string =>
  cookieSet(answer, name)?.split(';')[0] ?? '';

/** Text of a page, as a browser reads it. */
export const unescapeHtml = (html: string): string =>
  html
    .replaceAll('&#x3D;', '=')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
