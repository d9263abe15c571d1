import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import { Environment, missingVariables, PREVIEW_HOST, type Present } from './environment.ts';
import { missingForOidc, oidcSettings } from './text/oidc-setting.ts';
import { withoutSlash } from './text/parse-url.ts';

/** The service can't start with this environment. The message names every bad variable. */
export class ConfigError extends Error {}

/**
 * A worker thread with its browser keeps two processors busy. Measured on two, against a thread for each: nearly a third
 * less memory, 8 % less processor time, and no slower. On large hosts people choose.
 */
const defaultThreads = (processors: number) => Math.min(4, Math.ceil(processors / 2));

type Variables = z.output<typeof Environment>;

function s3Settings(e: Variables) {
  if (e.S3_BUCKET === undefined) return null;
  return {
    bucket: e.S3_BUCKET,
    endpoint: e.S3_ENDPOINT ?? null,
    region: e.S3_REGION,
    prefix: e.S3_PREFIX,
    forcePathStyle: e.S3_FORCE_PATH_STYLE,
  };
}

/** The GitHub App as set in the environment. Fields are null when their variable is not set. */
const githubSettings = (e: Variables) => ({
  appId: e.APP_ID ?? null,
  /** PEM; never null when `appId` is set. */
  privateKey: e.PRIVATE_KEY ?? e.PRIVATE_KEY_PATH ?? null,
  webhookSecret: e.WEBHOOK_SECRET ?? null,
  clientId: e.GITHUB_CLIENT_ID ?? null,
  clientSecret: e.GITHUB_CLIENT_SECRET ?? null,
  /** Host of a GitHub Enterprise Server, with its port if it has one; null: github.com. */
  enterpriseHost: e.GHE_HOST ?? null,
  enterpriseProtocol: e.GHE_PROTOCOL,
});

function previewHost(text: string): { account: string | null; pattern: string }[] {
  const [, account, pattern] = PREVIEW_HOST.exec(text) ?? [];
  return pattern === undefined ? [] : [{ account: account ?? null, pattern }];
}

/** @throws ConfigError that names every bad variable at once. */
function parseVariables(env: NodeJS.ProcessEnv): Variables {
  const present: Present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(present);
  const invalid = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  const problems = [...invalid, ...missingVariables(present), ...missingForOidc(present)];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError(`The environment is not valid.\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

/**
 * Reads the environment once.
 * @returns every setting of the service. Durations are milliseconds.
 * @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const e = parseVariables(env);
  const production = e.NODE_ENV === 'production';
  return Object.freeze({
    production,
    port: e.PORT,
    host: e.HOST,
    /** No trailing slash. */
    publicUrl: withoutSlash(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`),
    /** Absolute path: embedded database, disk storage and generated secrets. */
    dataDir: path.resolve(e.DATA_DIR),
    /** Null: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: e.DATABASE_URL ?? null,
    /** The same database without the pooler that `databaseUrl` leads through. Null: it leads through none. */
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? null,
    s3: s3Settings(e),
    /** No trailing slash. Null: images are served under `/files`. */
    cdnBaseUrl: e.CDN_BASE_URL === undefined ? null : withoutSlash(e.CDN_BASE_URL),
    /** Null: generated once into `dataDir` (never in production). */
    jwtSecret: e.JWT_SECRET ?? null,
    /** Decrypts what was encrypted before the secret was changed. */
    previousJwtSecret: e.PREVIOUS_JWT_SECRET ?? null,
    sessionTtl: e.SESSION_TTL,
    allowRegistration: e.ALLOW_REGISTRATION,
    /** False: nobody signs in, registers or resets a password with a password. */
    passwordSignIn: e.PASSWORD_SIGN_IN,
    /** Sign-in by OpenID Connect. Null: not set up. */
    oidc: oidcSettings(e),
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM,
    checkName: e.CHECK_NAME,
    /** Whether checks show what changed as images. Null: where GitHub can fetch them. */
    checkImages: e.CHECK_IMAGES ?? null,
    previewTimeout: e.PREVIEW_TIMEOUT,
    /** Where previews may be, in lower case, for one account or for all that have the App installed. Empty: anywhere. */
    previewHosts: e.PREVIEW_HOSTS.flatMap(previewHost),
    github: githubSettings(e),
    /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted, besides this machine's own. */
    trustedProxies: e.TRUSTED_PROXIES,
    role: e.ROLE,
    workerThreads: e.WORKER_THREADS ?? defaultThreads(availableParallelism()),
    chromiumPath: e.CHROMIUM_PATH ?? null,
    browserWsEndpoint: e.BROWSER_WS_ENDPOINT ?? null,
    allowPrivateTargets: e.ALLOW_PRIVATE_TARGETS ?? !production,
    /** For how long, and how many of, the runs of a suite are kept, unless the suite says otherwise. 0: without limit. */
    keepRuns: { days: e.KEEP_RUNS_DAYS, runs: e.KEEP_RUNS },
    /** For how long events are kept. */
    eventsDays: e.EVENTS_DAYS,
    /** Whether the retention removes stored objects that no row has named for a day. */
    removeUnnamed: e.REMOVE_UNNAMED,
    logLevel: e.LOG_LEVEL,
  });
}

export type Config = ReturnType<typeof readConfig>;
