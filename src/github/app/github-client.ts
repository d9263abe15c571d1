import type { ProbotOctokit } from 'probot';
import type { z } from 'zod';
import { isRecent } from '../../async/is-recent.ts';
import type { Context } from '../../context.ts';
import { AppError, errorMessage } from '../../errors.ts';
import { fetchWhole } from '../../net/fetch-whole.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import type { JobName, JobPayloads } from '../../queue/job-kinds.ts';
import { apiAddress } from './addresses.ts';
import { readCredentials } from './credentials.ts';
import { GitHubBusy, isRateLimited, parseWait, readFailure, respectRateLimits } from './respect-rate-limits.ts';

/** GitHub itself gives up after 10 s. */
const TIMEOUT_MS = 15_000;

/** Far above every answer that we ask for. */
const MAX_BYTES = 64 * 1024 * 1024;

/** With it, Octokit does not treat a connection that drops in the middle of an answer as an empty answer. */
async function fetchAnswer(url: string, options: RequestInit = {}): Promise<Response> {
  return fetchWhole(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, MAX_BYTES);
}

/** A client of GitHub's REST API: typed `rest` methods, `paginate`, `request`. */
export type GitHub = ProbotOctokit;

export type GitHubContext = Pick<Context, 'config' | 'db' | 'log' | 'clock' | 'tokens'>;

/** Means the App itself, in place of the ID of an installation. */
const APP = 0;

/** Statuses for which a retry is useless. GitHub answers 422 for a commit that a force-push removed. */
const GONE = new Set([403, 404, 410, 422, 451]);

/**
 * True when the answer says that the subject no longer exists for us: deleted, archived, uninstalled, suspended or
 * force-pushed away. The caller then ends quietly, with a log line. A rate limit never counts as gone.
 */
export function isGone(error: unknown): boolean {
  const status = readStatus(error);
  return status !== null && GONE.has(status) && !isRateLimited(error);
}

/** Null when the subject no longer exists for us. @param note called then */
export async function unlessGone<T>(
  ask: () => Promise<T>,
  note: (error: unknown) => void = () => {},
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!isGone(error)) throw error;
    note(error);
    return null;
  }
}

/** The items of a list in GitHub's answer. Those that can't be read are left out. */
export function readItems<S extends z.ZodType>(shape: S, list: unknown): z.output<S>[] {
  return Array.isArray(list) ? list.flatMap((each) => shape.safeParse(each).data ?? []) : [];
}

/** The HTTP status of GitHub's answer. Null: no answer came. */
export function readStatus(error: unknown): number | null {
  const failure = readFailure(error);
  return failure?.response === undefined ? null : failure.status;
}

/** The API version of our requests. A server that does not know it answers with an error. */
const API_VERSION = '2022-11-28';

/**
 * A client of the configured GitHub. The library takes a third of a second to load, so it is loaded only if GitHub is
 * connected. It retries nothing except after short waits: a failed job runs again as a whole.
 * @param options Octokit's own: authentication and throttling
 */
async function createGitHub(ctx: Pick<Context, 'config' | 'log'>, options: Record<string, unknown>): Promise<GitHub> {
  const { ProbotOctokit } = await import('probot');
  const log = ctx.log.child({ name: 'octokit' });
  const client = new ProbotOctokit({
    baseUrl: apiAddress(ctx.config),
    userAgent: 'Pixelgate',
    request: { fetch: fetchAnswer },
    retry: { enabled: false },
    log: {
      debug: () => {},
      info: (message: unknown) => log.debug({ message }, 'octokit'),
      warn: (message: unknown) => log.warn({ message }, 'octokit'),
      error: (message: unknown) => log.warn({ message }, 'octokit'),
    },
    ...options,
  });
  client.hook.before('request', (request) => {
    request.headers['x-github-api-version'] = API_VERSION;
  });
  return client;
}

/**
 * For github.com the plugin spaces requests, with a second between two writes, as GitHub asks. An Enterprise Server has
 * no limits unless its administrator sets some. `respectRateLimits` obeys the limits of both.
 */
function pace({ github }: GitHubContext['config'], id: number) {
  if (github.enterpriseHost !== null) return { enabled: false };
  return { id: String(id), onRateLimit: () => false, onSecondaryRateLimit: () => false };
}

/**
 * A client that acts as the installation with this id, or with `APP` as the App itself. It obeys GitHub's limits across
 * all threads and hosts.
 * @throws Error when GitHub is not connected. Its requests throw Octokit's `RequestError`, or `GitHubBusy` when
 * GitHub asks for a longer wait than a job may spend.
 */
export async function installationClient(ctx: GitHubContext, id: number): Promise<GitHub> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) throw new Error('GitHub is not connected: there are no credentials of an App');
  const { appId, privateKey } = credentials;
  const cache = tokenCache(ctx, appId);
  const client = await createGitHub(ctx, {
    auth: { appId, privateKey, cache, ...(id === APP ? {} : { installationId: id }) },
    throttle: pace(ctx.config, id),
  });
  client.hook.wrap('request', respectRateLimits(ctx, id));
  client.hook.error('request', (error) => {
    // GitHub no longer accepts the token. The next attempt requests a new one.
    if (readStatus(error) === 401) cache.remove(id);
    throw error;
  });
  return client;
}

/** A client that acts as the App itself. It works for `/app…` only. */
export async function appClient(ctx: GitHubContext): Promise<GitHub> {
  return installationClient(ctx, APP);
}

/** The repositories that the installation can see. */
export async function listSeen(ctx: GitHubContext, installationId: number) {
  const github = await installationClient(ctx, installationId);
  return github.paginate(github.rest.apps.listReposAccessibleToInstallation, { per_page: 100 });
}

/** A minute less than GitHub's hour. */
const LIFETIME_MS = 59 * 60_000;

/** The tokens of an App's installations, in the form in which Octokit keeps them. Its keys are the IDs of installations. */
function tokenCache({ tokens, clock }: Pick<Context, 'tokens' | 'clock'>, appId: number) {
  const keyFor = (installation: string | number) => `${appId}/${installation}`;
  return {
    get(installation: string): string | undefined {
      const kept = tokens.get(keyFor(installation));
      return kept !== undefined && isRecent(clock.now(), kept.issuedAt, LIFETIME_MS) ? kept.token : undefined;
    },
    set(installation: string, token: string): void {
      tokens.set(keyFor(installation), { token, issuedAt: clock.now() });
    },
    remove(installationId: number): void {
      tokens.delete(keyFor(installationId));
    },
  };
}

/**
 * Does the work of a job that asks GitHub. If GitHub wants no requests for longer than a job may wait, the job is queued
 * for later.
 * @param more.ifGone called when GitHub says that the subject no longer exists for us. Without it, that is a failure.
 * @param more.delays whether this also postpones a waiting job that is due sooner, because it can do nothing without GitHub
 */
export async function askGitHub<N extends JobName>(
  { db }: Pick<Context, 'db'>,
  name: N,
  payload: JobPayloads[N],
  ask: () => Promise<void>,
  { ifGone, delays = false }: { ifGone?: (error: unknown) => Promise<void> | void; delays?: boolean } = {},
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof GitHubBusy) {
      await enqueue(db, name, payload, delays ? { runAt: error.until } : postponedTo(error.until));
    } else if (ifGone !== undefined && isGone(error)) await ifGone(error);
    else throw error;
  }
}

/**
 * GitHub's API as a person sees it, or without a token as the public sees it. It does not wait for limits: a person
 * is waiting.
 */
export async function userClient(ctx: Pick<Context, 'config' | 'log'>, token: string | null): Promise<GitHub> {
  const auth = token === null ? {} : { auth: { token } };
  return createGitHub(ctx, { ...auth, throttle: { enabled: false } });
}

const REFUSALS = [400, 401, 403, 404];

/**
 * GitHub's answer for a person who is waiting. Null: GitHub refuses, because the token was revoked or may not see the
 * resource.
 * @throws AppError unavailable, when GitHub can't answer now.
 */
export async function unlessRefused<T>(
  { log, clock }: Pick<Context, 'log' | 'clock'>,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitHubBusy) {
      const retryAfter = Math.max(1, Math.ceil((error.until.getTime() - clock.now().getTime()) / 1000));
      const details = { code: 'github_unavailable', retryAfter };
      throw new AppError('unavailable', 'GitHub is not accepting requests right now', details);
    }
    if (readFailure(error) === null) throw error;
    const status = readStatus(error);
    const wait = parseWait(error, clock.now());
    if (status !== null && REFUSALS.includes(status) && wait === null) return null;
    // Not the error itself: it holds the request, and the body may contain the client secret.
    log.warn({ status, wait, reason: errorMessage(error) }, 'GitHub did not respond');
    throw new AppError('unavailable', 'GitHub cannot be reached', {
      code: 'github_unavailable',
      ...(wait === null ? {} : { retryAfter: Math.ceil(wait / 1000) }),
    });
  }
}
