import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { parsePrivateKey, readPrivateKey } from './secrets/private-key.ts';
import { isNetwork } from './text/network.ts';
import { missingForOidc, OidcEnvironment, oidcSettings, OidcSettings } from './text/oidc-setting.ts';
import { duration, flag, httpUrl, list, parsedBy, secret } from './text/setting.ts';
import { trimEnd } from './text/trim-end.ts';
import { typedNumber } from './text/typed-number.ts';

/** For all repositories or one account's: `[account=]host`. The host may start with `*.` or end with a port. */
const PREVIEW_HOST = /^(?:([a-z0-9][a-z0-9_-]*)=)?((?:\*\.)?[a-z0-9.-]+(?::\d+)?)$/;

const POSTGRES_URL = /^postgres(ql)?:\/\//;
const NOT_POSTGRES = 'must be a postgresql:// URL';

const Environment = z.object({
  ...OidcEnvironment.shape,
  NODE_ENV: z.string().default('development'),
  PORT: typedNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().regex(POSTGRES_URL, NOT_POSTGRES).optional(),
  DATABASE_DIRECT_URL: z.string().regex(POSTGRES_URL, NOT_POSTGRES).optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_PREFIX: z.string().default(''),
  S3_FORCE_PATH_STYLE: flag.default(false),
  CDN_BASE_URL: httpUrl.optional(),
  JWT_SECRET: secret.optional(),
  PREVIOUS_JWT_SECRET: secret.optional(),
  SESSION_TTL: duration.default(7 * 86_400_000),
  ALLOW_REGISTRATION: flag.default(true),
  PASSWORD_SIGN_IN: flag.default(true),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// URL')
    .optional(),
  MAIL_FROM: z.string().default('Pixelgate <pixelgate@localhost>'),
  CHECK_NAME: z.string().min(1).default('Pixelgate'),
  CHECK_IMAGES: flag.optional(),
  PREVIEW_HOSTS: list
    .pipe(
      z.array(
        z.string().regex(PREVIEW_HOST, 'must be a list of hosts, such as *.example.app, octocat=preview.example.com'),
      ),
    )
    .default([]),
  PREVIEW_TIMEOUT: duration.default(30 * 60_000),
  APP_ID: z.string().regex(/^\d+$/, 'must be a number').optional(),
  PRIVATE_KEY: parsedBy(parsePrivateKey).optional(),
  /** Replaced by the content of the file. */
  PRIVATE_KEY_PATH: parsedBy(readPrivateKey).optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GHE_HOST: z
    .string()
    .regex(/^[^/@?#\s]+$/, 'must be a host, with an optional port')
    .optional(),
  GHE_PROTOCOL: z.enum(['http', 'https'], 'must be http or https').default('https'),
  WEBHOOK_SECRET: z.string().optional(),
  TRUSTED_PROXIES: list
    .refine((all) => all.every(isNetwork), 'must be a list of addresses and networks, such as 10.0.0.0/8, 192.0.2.7')
    .default([]),
  ROLE: z.enum(['web', 'worker', 'all'], 'must be web, worker or all').default('all'),
  WORKER_THREADS: typedNumber(1, 64).optional(),
  CHROMIUM_PATH: z.string().optional(),
  BROWSER_WS_ENDPOINT: z
    .string()
    .regex(/^(wss?|https?):\/\//, 'must be a ws(s):// or http(s):// URL')
    .optional(),
  ALLOW_PRIVATE_TARGETS: flag.optional(),
  KEEP_RUNS_DAYS: typedNumber(0, 36_500).default(0),
  KEEP_RUNS: typedNumber(0, 1_000_000).default(0),
  EVENTS_DAYS: typedNumber(1, 36_500).default(400),
  REMOVE_UNNAMED: flag.default(false),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a pino log level')
    .default('info'),
});

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

/** Probot's default secret for an App without one. Anyone who reads its documentation could sign deliveries with it. */
const KNOWN_WEBHOOK_SECRET = 'development';

/**
 * A worker thread with its browser keeps two processors busy. Measured on two, against a thread for each: nearly a third
 * less memory, 8 % less processor time, and no slower. On large hosts people choose.
 */
const defaultThreads = (processors: number) => Math.min(4, Math.ceil(processors / 2));

/** An empty variable counts as unset. */
type Present = Record<string, string | undefined>;

function missingInProduction({ NODE_ENV, JWT_SECRET, APP_ID, WEBHOOK_SECRET }: Present): string[] {
  if (NODE_ENV !== 'production') return [];
  const problems: string[] = [];
  if (JWT_SECRET === undefined) problems.push('JWT_SECRET: is required in production and must be at least 32 bytes');
  if (APP_ID !== undefined && WEBHOOK_SECRET === undefined) {
    problems.push('WEBHOOK_SECRET: is required in production when APP_ID is set');
  }
  if (WEBHOOK_SECRET === KNOWN_WEBHOOK_SECRET) {
    problems.push('WEBHOOK_SECRET: must be your own secret in production');
  }
  return problems;
}

/** Which variables require others. Reads the raw text, so these are reported along with unparsable values. */
function missingVariables(present: Present): string[] {
  const { APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH, ROLE = 'all', DATABASE_URL, DATABASE_DIRECT_URL } = present;
  const problems = missingInProduction(present);
  if (APP_ID !== undefined && PRIVATE_KEY === undefined && PRIVATE_KEY_PATH === undefined) {
    problems.push('PRIVATE_KEY: this or PRIVATE_KEY_PATH is required when APP_ID is set');
  }
  if ((ROLE === 'web' || ROLE === 'worker') && DATABASE_URL === undefined) {
    problems.push(`DATABASE_URL: is required with ROLE=${ROLE}, because the embedded database belongs to one process`);
  }
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined) {
    problems.push('DATABASE_URL: is required with DATABASE_DIRECT_URL, which is the way around its pooler');
  }
  return problems;
}

const withoutSlash = (url: string) => trimEnd(url, '/');

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
    s3:
      e.S3_BUCKET === undefined
        ? null
        : {
            bucket: e.S3_BUCKET,
            endpoint: e.S3_ENDPOINT ?? null,
            region: e.S3_REGION,
            prefix: e.S3_PREFIX,
            forcePathStyle: e.S3_FORCE_PATH_STYLE,
          },
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
    previewHosts: e.PREVIEW_HOSTS.flatMap((text) => {
      const [, account, pattern] = PREVIEW_HOST.exec(text) ?? [];
      return pattern === undefined ? [] : [{ account: account ?? null, pattern }];
    }),
    github: {
      appId: e.APP_ID ?? null,
      privateKey: e.PRIVATE_KEY ?? e.PRIVATE_KEY_PATH ?? null,
      webhookSecret: e.WEBHOOK_SECRET ?? null,
      clientId: e.GITHUB_CLIENT_ID ?? null,
      clientSecret: e.GITHUB_CLIENT_SECRET ?? null,
      enterpriseHost: e.GHE_HOST ?? null,
      enterpriseProtocol: e.GHE_PROTOCOL,
    },
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
