import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import jwt from 'jsonwebtoken';

export type Claims = Record<string, unknown>;
type Signing = { kid?: string; key?: KeyObject };

/** What GitHub issues to jobs of workflows: a service of its own on loopback, at the address of an Enterprise Server. */
export type ActionsIssuer = {
  /** The environment variables with which a service believes this one. */
  environment: Record<string, string>;
  issuer: string;
  /** How often its keys were asked for. */
  asked(): number;
  /** While it is away, requests for its keys fail. */
  setAway(away: boolean): void;
  /** From now on it signs with another key. */
  rotate(): void;
  /** A token as GitHub issues it, but for the claims that are given; `undefined` leaves one out. */
  sign(claims?: Claims, signing?: Signing): string;
  /** The same with another algorithm, signed by nothing or by the public key as if it were a secret. */
  forge(algorithm: 'none' | 'HS256', claims?: Claims): string;
  /** The environment of a job with `id-token: write`, whose tokens have these claims. */
  jobEnvironment(claims?: Claims): Record<string, string>;
  /** The audiences that jobs have asked for. */
  audiences: (string | null)[];
  stop(): Promise<void>;
};

const JOB_TOKEN = 'the token of the job';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An RSA key that only its holder signs with. */
export const newSigningKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

export const MERGE_SHA = '3e'.repeat(20);

/** Those that GitHub documents, as far as anyone reads them here. */
function completeClaims(issuer: string, audience: string, claims: Claims): Claims {
  const now = Math.floor(Date.now() / 1000);
  const all = {
    iss: issuer,
    aud: audience,
    sub: 'repo:acme/web:ref:refs/heads/main',
    iat: now,
    nbf: now - 300,
    exp: now + 300,
    repository: 'acme/web',
    repository_id: '4242',
    repository_owner: 'acme',
    repository_owner_id: '17',
    event_name: 'push',
    ref: 'refs/heads/main',
    sha: MERGE_SHA,
    run_id: '9001',
    ...claims,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** @param audience of tokens that name none */
export async function startActionsIssuer(audience: string): Promise<ActionsIssuer> {
  let keys = [{ kid: 'first', key: newSigningKey() }];
  let asked = 0;
  let away = false;
  let jobClaims: Claims = {};
  const audiences: (string | null)[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer');
    const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (pathname === '/_services/token/.well-known/jwks') {
      asked += 1;
      const jwks = keys.map(({ kid, key }) => ({ ...createPublicKey(key).export({ format: 'jwk' }), kid, use: 'sig' }));
      // GitHub's have a certificate as well. One that is none of ours must do no harm.
      send(away ? 503 : 200, { keys: [{ kty: 'EC', kid: 'other', crv: 'P-256', x: '', y: '' }, ...jwks] });
    } else if (pathname === '/id-token' && request.headers.authorization === `bearer ${JOB_TOKEN}`) {
      audiences.push(searchParams.get('audience'));
      send(200, {
        value: issuer.sign({ ...jobClaims, aud: searchParams.get('audience') ?? 'https://github.com/acme' }),
      });
    } else send(404, { message: 'Not Found' });
  }
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The issuer has no port');
  const host = `127.0.0.1:${address.port}`;
  const name = `http://${host}/_services/token`;
  const newest = () => {
    const last = keys.at(-1);
    if (last === undefined) throw new Error('The issuer has no key');
    return last;
  };

  const issuer: ActionsIssuer = {
    environment: { GHE_HOST: host, GHE_PROTOCOL: 'http' },
    issuer: name,
    asked: () => asked,
    setAway(value) {
      away = value;
    },
    rotate() {
      keys = [...keys, { kid: `key-${keys.length}`, key: newSigningKey() }];
    },
    sign(claims = {}, { kid = newest().kid, key = newest().key } = {}) {
      return jwt.sign(completeClaims(name, audience, claims), key, {
        algorithm: 'RS256',
        keyid: kid,
        noTimestamp: true,
      });
    },
    forge(algorithm, claims = {}) {
      const unsigned = `${encode({ alg: algorithm, typ: 'JWT', kid: newest().kid })}.${encode(completeClaims(name, audience, claims))}`;
      const publicKey = createPublicKey(newest().key).export({ type: 'spki', format: 'pem' });
      const signature =
        algorithm === 'none' ? '' : createHmac('sha256', publicKey).update(unsigned).digest('base64url');
      return `${unsigned}.${signature}`;
    },
    jobEnvironment(claims = {}) {
      jobClaims = claims;
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://${host}/id-token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: JOB_TOKEN,
      };
    },
    audiences,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return issuer;
}
