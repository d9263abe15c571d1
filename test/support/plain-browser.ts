/** A browser without a display. It keeps cookies, and does not follow redirects by itself. */
export type PlainBrowser = {
  /** By name. */
  cookies: Map<string, string>;
  /** @param address a path of the service, or the target of a redirect. Other hosts get no cookies. */
  get(address: string): Promise<Response>;
  /** Signs in or registers through the API. @returns the user's ID. */
  enter(path: '/api/auth/register' | '/api/auth/login', email: string): Promise<string>;
  /** The session token, for an API client. */
  token(): string;
};

const PASSWORD = 'correct horse battery staple';
const JSON_HEADERS = { 'content-type': 'application/json' };

function keepCookies(cookies: Map<string, string>, response: Response): Response {
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

/** @param publicUrl the service's `PUBLIC_URL`. Requests to it go to `serviceUrl`. */
export function plainBrowser(serviceUrl: () => string, publicUrl: string): PlainBrowser {
  const cookies = new Map<string, string>();
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookies,
    async get(address) {
      const url = new URL(address, publicUrl);
      if (url.origin !== publicUrl) return fetch(url, { redirect: 'manual' });
      const ours = serviceUrl() + url.pathname + url.search;
      return keepCookies(cookies, await fetch(ours, { redirect: 'manual', headers: { cookie: header() } }));
    },
    async enter(path, email) {
      const body = JSON.stringify({ email, password: PASSWORD, name: email });
      const response = await fetch(serviceUrl() + path, { method: 'POST', headers: JSON_HEADERS, body });
      const answer: any = await keepCookies(cookies, response).json();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer.user.id;
    },
    token: () => cookies.get('pixelgate_session') ?? '',
  };
}

/** Goes through GitHub's web flow as a browser does. @returns the response of our callback. */
export async function signInWithGitHub(browser: PlainBrowser): Promise<Response> {
  const start = await browser.get('/api/auth/github');
  const granted = await browser.get(start.headers.get('location') ?? '');
  return browser.get(granted.headers.get('location') ?? '');
}
