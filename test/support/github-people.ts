import type { Answer, TestApi } from './api-client.ts';
import { nock } from './stub-http.ts';
import { cookieOf } from './web-form.ts';

/** A GitHub Enterprise Server that does not exist. nock responds to all requests to it. */
const GITHUB = 'http://github.test';

export const SIGN_IN_ENVIRONMENT = {
  GHE_HOST: 'github.test',
  GHE_PROTOCOL: 'http',
  GITHUB_CLIENT_ID: 'Iv1.client',
  GITHUB_CLIENT_SECRET: 'client-secret',
};

export type Person = {
  id: number;
  login: string;
  name?: string | null;
  email?: string | null;
  /** Undefined: the App may not read them. */
  emails?: { email: string; primary: boolean; verified: boolean }[];
};

export const apiOfGitHub = () => nock(GITHUB, { encodedQueryParams: true });

const tokenOf = (person: Person) => `ghu_${person.login}`;
const refused = { message: 'Resource not accessible by integration' };

const asPerson = ({ login }: { login: string }) =>
  nock(GITHUB, { reqheaders: { authorization: `token ghu_${login}` } });

export type SeenInstallation = { id: number; account: { login: string; type: string }; suspended_at?: string };

/** What GitHub responds to that person, this many times. */
export function seesInstallations(person: { login: string }, seen: SeenInstallation[], times = 1): void {
  const installations = seen.map((each) => ({ permissions: {}, events: [], suspended_at: null, ...each }));
  asPerson(person)
    .get('/api/v3/user/installations')
    .query({ per_page: '100' })
    .times(times)
    .reply(200, { total_count: seen.length, installations });
}

export function repository(fullName: string, isPrivate: boolean) {
  const [login = '', name = ''] = fullName.split('/');
  const id = 1000 + Buffer.from(fullName).reduce((sum, byte) => sum + byte, 0);
  return { id, name, full_name: fullName, private: isPrivate, owner: { login } };
}

type Page = { times?: number; headers?: Record<string, string>; query?: Record<string, string> };

/** One page of what GitHub responds to that person, once by default. */
export function seesRepositories(
  person: { login: string },
  installationId: number,
  repositories: ReturnType<typeof repository>[],
  { times = 1, headers = {}, query = {} }: Page = {},
): void {
  asPerson(person)
    .get(`/api/v3/user/installations/${installationId}/repositories`)
    .query({ per_page: '100', ...query })
    .times(times)
    .reply(200, { total_count: repositories.length, repositories }, headers);
}

/** What GitHub responds while that person signs in. Collects the bodies of the token requests. */
export function expectSignIn(person: Person, granted: Record<string, unknown> = {}): Record<string, unknown>[] {
  const asked: Record<string, unknown>[] = [];
  apiOfGitHub()
    .post('/login/oauth/access_token', (body: Record<string, unknown>) => {
      asked.push(body);
      return true;
    })
    .reply(200, { access_token: tokenOf(person), token_type: 'bearer', scope: '', ...granted });
  const authorized = nock(GITHUB, { reqheaders: { authorization: `token ${tokenOf(person)}` } });
  const { id, login, name = null, email = null } = person;
  authorized.get('/api/v3/user').reply(200, { id, login, name, email, avatar_url: `${GITHUB}/${login}.png` });
  const { emails } = person;
  authorized
    .get('/api/v3/user/emails')
    .query(true)
    .reply(emails === undefined ? 403 : 200, emails ?? refused);
  return asked;
}

export type SignInStart = { location: URL; cookie: string };

/** Goes to GitHub. @param token of the user who links their account @param next where to redirect to at the end */
export async function startSignIn(api: TestApi, token?: string, next?: string): Promise<SignInStart> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const answer = await api.request('GET', `/api/auth/github${query}`, { token });
  return { location: new URL(answer.headers.get('location') ?? ''), cookie: cookieOf(answer, 'pixelgate_sign_in') };
}

/** Returns from GitHub. */
export async function comeBack(
  api: TestApi,
  { location, cookie }: SignInStart,
  { token, query = 'code=the-code' }: { token?: string | undefined; query?: string } = {},
): Promise<Answer> {
  const address = `/api/auth/github/callback?state=${location.searchParams.get('state')}&${query}`;
  return api.request('GET', address, { token, headers: { cookie } });
}

/** The session token in a response that signed somebody in. */
export const sessionOf = (answer: Answer) => cookieOf(answer, 'pixelgate_session').split('=')[1] ?? '';
