import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import type { TestApi } from './api-client.ts';
import { cookieOf } from './web-form.ts';

const CLIENT = { id: 'pixelgate', secret: 'a secret of the client' };

/** Somebody whom the issuer knows. `sub` is their account there. */
export type Person = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
  groups?: string[];
};

export type Issuer = {
  url: string;
  /** Who signs in next. Null: who is asked declines. */
  person: Person | null;
  /** Answers in the provider's place. False: the provider answers. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean;
  stop(): Promise<void>;
};

const CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username'],
  groups: ['groups'],
};

const SIGNING_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

const LIFETIME_S = 600;
const KINDS = ['Interaction', 'Session', 'Grant', 'AccessToken', 'AuthorizationCode', 'IdToken'];

/** What the issuer knows, without the warning that its own memory is for development only. */
function createAdapter(): AdapterFactory {
  const known = new Map<string, AdapterPayload>();
  const findBy = async (found: (payload: AdapterPayload) => boolean) => [...known.values()].find(found);
  return (model) => ({
    upsert: async (id, payload) => void known.set(`${model} ${id}`, payload),
    find: async (id) => known.get(`${model} ${id}`),
    findByUid: async (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: async (code) => findBy(({ userCode }) => userCode === code),
    destroy: async (id) => void known.delete(`${model} ${id}`),
    consume: async (id) => void Object.assign(known.get(`${model} ${id}`) ?? {}, { consumed: true }),
    async revokeByGrantId(grantId) {
      for (const [key, payload] of known) if (payload.grantId === grantId) known.delete(key);
    },
  });
}

function createProvider(url: string, issuer: Pick<Issuer, 'person'>, redirectUris: string[]): Provider {
  return new Provider(url, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
    claims: CLAIMS,
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    adapter: createAdapter(),
    jwks: { keys: [{ ...SIGNING_KEY, use: 'sig', alg: 'RS256' }] },
    ttl: Object.fromEntries(KINDS.map((kind) => [kind, LIFETIME_S])),
    cookies: { keys: ['a key of the cookies'] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...issuer.person, sub }) }),
  });
}

/** In the person's place: signs in and consents, or declines. */
async function interact(
  provider: Provider,
  { person }: Pick<Issuer, 'person'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  const merge = { mergeWithLastSubmission: false };
  if (person === null) {
    await provider.interactionFinished(req, res, { error: 'access_denied' }, merge);
  } else if (prompt.name === 'login') {
    await provider.interactionFinished(req, res, { login: { accountId: person.sub } }, merge);
  } else {
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CLIENT.id });
    grant.addOIDCScope(String(params['scope']));
    await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } }, merge);
  }
}

/** A real OpenID provider on a port of its own. */
export async function startIssuer(redirectUris: string[]): Promise<Issuer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    person: null,
    answer: () => false,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
  const provider = createProvider(url, issuer, redirectUris);
  const callback = provider.callback();
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (issuer.answer(req, res)) return;
    if (req.url?.startsWith('/interaction/') !== true) void callback(req, res);
    else void interact(provider, issuer, req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  return issuer;
}

export const issuerEnvironment = (url: string) => ({
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_LABEL: 'Acme',
  OIDC_SCOPES: 'openid email profile groups',
});

/** Follows the issuer's redirects, with a fresh browser, until they lead back. @returns the address that they lead to */
async function visitIssuer(location: string, isBack: (url: string) => boolean): Promise<string> {
  const jar = new Map<string, string>();
  let url = location;
  for (let step = 0; step < 10 && !isBack(url); step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`The issuer answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url).href;
  }
  return url;
}

export type Journey = { location: string; cookie: string };

/** Leaves for the issuer. */
export async function leave(api: TestApi, token?: string, next = '/'): Promise<Journey> {
  const answer = await api.request('GET', `/api/auth/oidc?next=${encodeURIComponent(next)}`, { token });
  return {
    location: answer.headers.get('location') ?? '',
    cookie: cookieOf(answer, 'pixelgate_sign_in'),
  };
}

/** The path and query with which the issuer sends a person back. */
export async function answerOf(api: TestApi, { location }: Journey): Promise<string> {
  const back = `${api.ctx.config.publicUrl}/api/auth/oidc/callback`;
  const url = new URL(await visitIssuer(location, (at) => at.startsWith(back)));
  return url.pathname + url.search;
}

export async function comeBack(api: TestApi, path: string, { cookie }: Pick<Journey, 'cookie'>, token?: string) {
  return api.request('GET', path, { token, headers: { cookie } });
}

/** The session token in a response that signed somebody in. */
export const sessionIn = (headers: Headers) => cookieOf({ headers }, 'pixelgate_session').split('=')[1] ?? '';
