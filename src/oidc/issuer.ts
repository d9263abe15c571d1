import type { Configuration } from 'openid-client';
import * as client from 'openid-client';
import { isRecent } from '../async/is-recent.ts';
import { settlesWithin } from '../async/time-limit.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { fetchWhole } from '../net/fetch-whole.ts';
import type { OidcSettings } from '../text/oidc-setting.ts';

type IssuerContext = Pick<Context, 'config' | 'clock' | 'log' | 'discovered'>;

/** In seconds, for each request to the issuer. */
const TIMEOUT_SECONDS = 5;
/** Of each answer of the issuer. A person may be in thousands of groups. */
const MAX_BYTES = 1024 * 1024;
/** An answer of the issuer is reused for this long, and so is its silence. */
const KEPT_MS = 10_000;
/** How long a page waits to know whether the issuer answers. */
const PAGE_WAITS_MS = 1000;
const CLOCKS_DIFFER_SECONDS = 30;

/** @throws AppError not_found `oidc_not_configured` */
export function configuredOidc({ config }: Pick<Context, 'config'>): OidcSettings {
  if (config.oidc !== null) return config.oidc;
  throw new AppError('not_found', 'Sign-in by OpenID Connect is not configured', { code: 'oidc_not_configured' });
}

/** A request of a sign-in sends a form or nothing. */
async function fetchAnswer(url: string, { body, ...options }: client.CustomFetchOptions): Promise<Response> {
  return fetchWhole(url, { ...options, body: body instanceof URLSearchParams ? body : null }, MAX_BYTES);
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const url = new URL(issuer);
  const settings = { client_secret: clientSecret, [client.clockTolerance]: CLOCKS_DIFFER_SECONDS };
  // Without a list, the standard says Basic. The answer decides, and comes before the method is first used.
  const authentication: client.ClientAuth = (as, ...rest) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const choose = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    return choose(clientSecret)(as, ...rest);
  };
  const insecure = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, settings, authentication, {
    // The signature of identity tokens is checked, although they come from the issuer itself.
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetchAnswer,
  });
}

function askIssuer({ config, clock, log, discovered }: IssuerContext): Promise<Configuration> {
  const oidc = configuredOidc({ config });
  const last = discovered.get(oidc.issuer);
  const now = clock.now();
  if (last !== undefined && isRecent(now, last.askedAt, KEPT_MS)) return last.asking;
  const asking = discover(oidc);
  discovered.set(oidc.issuer, { asking, askedAt: now });
  asking.catch((error: unknown) =>
    log.warn({ err: error, issuer: oidc.issuer }, 'the issuer of sign-ins cannot be used'),
  );
  return asking;
}

export function unreachable({ label }: OidcSettings): AppError {
  return new AppError('unavailable', `Pixelgate can’t reach ${label} right now`, {
    code: 'issuer_unreachable',
    retryAfter: KEPT_MS / 1000,
  });
}

/**
 * The issuer as it describes itself. Asked when somebody signs in, not at the start, so that everything else works without.
 * @throws AppError unavailable `issuer_unreachable`
 */
export async function findIssuer(ctx: IssuerContext): Promise<Configuration> {
  const oidc = configuredOidc(ctx);
  try {
    return await askIssuer(ctx);
  } catch {
    throw unreachable(oidc);
  }
}

/** For the sign-in page. False while the answer is awaited. */
export async function isIssuerDown(ctx: IssuerContext): Promise<boolean> {
  try {
    await settlesWithin(PAGE_WAITS_MS, askIssuer(ctx));
    return false;
  } catch {
    return true;
  }
}
