import { isIP } from 'node:net';
import { z } from 'zod';
import { parsePrivateKey, readPrivateKey } from './secrets/private-key.ts';
import { OidcEnvironment } from './text/oidc-setting.ts';
import { duration, flag, httpUrl, list, parsedBy, secret, urlWith } from './text/setting.ts';
import { typedNumber } from './text/typed-number.ts';

/** For all repositories or one account's: `[account=]host`. The host may start with `*.` or end with a port. */
export const PREVIEW_HOST = /^(?:([a-z0-9][a-z0-9_-]*)=)?((?:\*\.)?[a-z0-9.-]+(?::\d+)?)$/;

/** How long runs and events may be kept at most, and how many runs. A suite's settings have the same limits. */
export const MOST_KEPT = { days: 36_500, runs: 1_000_000 } as const;

/** Without a host, its query may name a socket: `postgresql://user:password@/name?host=/run/postgresql`. */
const postgresUrl = urlWith(/^postgres(ql)?:\/\//, 'a postgresql:// URL', (text) => text.replace('@/', '@socket/'));

/** An address, or a network as in `10.0.0.0/8`. Never all addresses: then any client could name another address. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}

export const Environment = z.object({
  ...OidcEnvironment.shape,
  NODE_ENV: z.string().default('development'),
  PORT: typedNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
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
  SMTP_URL: urlWith(/^smtps?:\/\//, 'an smtp:// or smtps:// URL').optional(),
  // Without an address, mails would be sent without a sender.
  MAIL_FROM: z
    .string()
    .trim()
    .regex(/(?:^|<)[^\s<>@]+@[^\s<>@]+>?$/, 'must have an email address, such as Pixelgate <pixelgate@example.com>')
    .default('Pixelgate <pixelgate@localhost>'),
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
  BROWSER_WS_ENDPOINT: urlWith(/^(wss?|https?):\/\//, 'a ws(s):// or http(s):// URL').optional(),
  ALLOW_PRIVATE_TARGETS: flag.optional(),
  KEEP_RUNS_DAYS: typedNumber(0, MOST_KEPT.days).default(0),
  KEEP_RUNS: typedNumber(0, MOST_KEPT.runs).default(0),
  EVENTS_DAYS: typedNumber(1, MOST_KEPT.days).default(400),
  REMOVE_UNNAMED: flag.default(false),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a pino log level')
    .default('info'),
});

/** Probot's default secret for an App without one. Anyone who reads its documentation could sign deliveries with it. */
export const KNOWN_WEBHOOK_SECRET = 'development';

/** An empty variable counts as unset. */
export type Present = Record<string, string | undefined>;

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
export function missingVariables(present: Present): string[] {
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
