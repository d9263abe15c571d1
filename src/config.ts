import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { Environment, missingVariables, PREVIEW_HOST, type Present } from './environment.ts';
import { missingForOidc, OidcSettings, oidcSettings } from './text/oidc-setting.ts';
import { withoutSlash } from './text/without-slash.ts';

/** Every setting of the service, from the environment. Durations are milliseconds. */
export const Config = z.object({
  production: z.boolean(),
  port: z.number(),
  host: z.string(),
  /** No trailing slash. */
  publicUrl: z.string(),
  /** Absolute path: embedded database, disk storage and generated secrets. */
  dataDir: z.string(),
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: z.string().nullable(),
  /** The same database without the pooler that `databaseUrl` leads through. Null: it leads through none. */
  databaseDirectUrl: z.string().nullable(),
  s3: z
    .object({
      bucket: z.string(),
      endpoint: z.string().nullable(),
      region: z.string(),
      prefix: z.string(),
      forcePathStyle: z.boolean(),
    })
    .nullable(),
  /** No trailing slash. Null: images are served under `/files`. */
  cdnBaseUrl: z.string().nullable(),
  /** Null: generated once into `dataDir` (never in production). */
  jwtSecret: z.string().nullable(),
  /** Decrypts what was encrypted before the secret was changed. */
  previousJwtSecret: z.string().nullable(),
  sessionTtl: z.number(),
  allowRegistration: z.boolean(),
  /** False: nobody signs in, registers or resets a password with a password. */
  passwordSignIn: z.boolean(),
  /** Sign-in by OpenID Connect. Null: not set up. */
  oidc: OidcSettings.nullable(),
  smtpUrl: z.string().nullable(),
  mailFrom: z.string(),
  checkName: z.string(),
  /** Whether checks show what changed as images. Null: where GitHub can fetch them. */
  checkImages: z.boolean().nullable(),
  previewTimeout: z.number(),
  /** Where previews may be, in lower case, for one account or for all that have the App installed. Empty: anywhere. */
  previewHosts: z.array(z.object({ account: z.string().nullable(), pattern: z.string() })),
  /** The GitHub App as set in the environment. Fields are null when their variable is not set. */
  github: z.object({
    appId: z.string().nullable(),
    /** PEM; never null when `appId` is set. */
    privateKey: z.string().nullable(),
    webhookSecret: z.string().nullable(),
    clientId: z.string().nullable(),
    clientSecret: z.string().nullable(),
    /** Host of a GitHub Enterprise Server, with its port if it has one; null: github.com. */
    enterpriseHost: z.string().nullable(),
    enterpriseProtocol: z.enum(['http', 'https']),
  }),
  /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted, besides this machine's own. */
  trustedProxies: z.array(z.string()),
  role: z.enum(['web', 'worker', 'all']),
  workerThreads: z.number(),
  chromiumPath: z.string().nullable(),
  browserWsEndpoint: z.string().nullable(),
  allowPrivateTargets: z.boolean(),
  /** For how long, and how many of, the runs of a suite are kept, unless the suite says otherwise. 0: without limit. */
  keepRuns: z.object({ days: z.number(), runs: z.number() }),
  /** For how long events are kept. */
  eventsDays: z.number(),
  /** Whether the retention removes stored objects that no row has named for a day. */
  removeUnnamed: z.boolean(),
  logLevel: z.string(),
});
export type Config = z.output<typeof Config>;

/** The service can't start with this environment. The message names every bad variable. */
export class ConfigError extends Error {}

/**
 * A worker thread with its browser keeps two processors busy. Measured on two, against a thread for each: nearly a third
 * less memory, 8 % less processor time, and no slower. On large hosts people choose.
 */
const defaultThreads = (processors: number) => Math.min(4, Math.ceil(processors / 2));

type Variables = z.output<typeof Environment>;

function s3Settings(e: Variables): Config['s3'] {
  if (e.S3_BUCKET === undefined) return null;
  return {
    bucket: e.S3_BUCKET,
    endpoint: e.S3_ENDPOINT ?? null,
    region: e.S3_REGION,
    prefix: e.S3_PREFIX,
    forcePathStyle: e.S3_FORCE_PATH_STYLE,
  };
}

const githubSettings = (e: Variables): Config['github'] => ({
  appId: e.APP_ID ?? null,
  privateKey: e.PRIVATE_KEY ?? e.PRIVATE_KEY_PATH ?? null,
  webhookSecret: e.WEBHOOK_SECRET ?? null,
  clientId: e.GITHUB_CLIENT_ID ?? null,
  clientSecret: e.GITHUB_CLIENT_SECRET ?? null,
  enterpriseHost: e.GHE_HOST ?? null,
  enterpriseProtocol: e.GHE_PROTOCOL,
});

function previewHost(text: string): Config['previewHosts'] {
  const [, account, pattern] = PREVIEW_HOST.exec(text) ?? [];
  return pattern === undefined ? [] : [{ account: account ?? null, pattern }];
}

/**
 * Reads the environment once.
 * @throws ConfigError that names every bad variable at once.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present: Present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(present);
  const invalid = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  const problems = [...invalid, ...missingVariables(present), ...missingForOidc(present)];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(`The environment is not valid.\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  const e = parsed.data;
  const production = e.NODE_ENV === 'production';
  return Object.freeze({
    production,
    port: e.PORT,
    host: e.HOST,
    publicUrl: withoutSlash(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`),
    dataDir: path.resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? null,
    s3: s3Settings(e),
    cdnBaseUrl: e.CDN_BASE_URL === undefined ? null : withoutSlash(e.CDN_BASE_URL),
    jwtSecret: e.JWT_SECRET ?? null,
    previousJwtSecret: e.PREVIOUS_JWT_SECRET ?? null,
    sessionTtl: e.SESSION_TTL,
    allowRegistration: e.ALLOW_REGISTRATION,
    passwordSignIn: e.PASSWORD_SIGN_IN,
    oidc: oidcSettings(e),
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM,
    checkName: e.CHECK_NAME,
    checkImages: e.CHECK_IMAGES ?? null,
    previewTimeout: e.PREVIEW_TIMEOUT,
    previewHosts: e.PREVIEW_HOSTS.flatMap(previewHost),
    github: githubSettings(e),
    trustedProxies: e.TRUSTED_PROXIES,
    role: e.ROLE,
    workerThreads: e.WORKER_THREADS ?? defaultThreads(availableParallelism()),
    chromiumPath: e.CHROMIUM_PATH ?? null,
    browserWsEndpoint: e.BROWSER_WS_ENDPOINT ?? null,
    allowPrivateTargets: e.ALLOW_PRIVATE_TARGETS ?? !production,
    keepRuns: { days: e.KEEP_RUNS_DAYS, runs: e.KEEP_RUNS },
    eventsDays: e.EVENTS_DAYS,
    removeUnnamed: e.REMOVE_UNNAMED,
    logLevel: e.LOG_LEVEL,
  });
}
