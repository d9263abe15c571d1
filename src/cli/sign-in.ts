import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { parseUrl } from '../text/parse-url.ts';
import { RefusedError, UsageError } from './outcome.ts';
import { send } from './send.ts';

/** How the tool signs in. `suite`: the one that the token is for, if the server chose it. */
type SignedIn = { token: string; suite: string | null };

/** The server, and how to sign in there. Call it before each request: tokens end. */
export type Server = { address: string; signIn: () => Promise<SignedIn> };

/** A token that ends earlier is renewed: an upload may take some minutes. */
const MARGIN_MS = 5 * 60_000;

const IdentityToken = z.object({ value: z.string() });
const WorkflowToken = z.object({ secret: z.string(), testSuiteId: z.string(), expiresAt: z.iso.datetime() });

/** GitHub's answer to a job with `permissions: id-token: write`. */
async function askForIdentityToken(endpoint: string, jobToken: string, audience: string): Promise<string> {
  const url = parseUrl(endpoint);
  if (url === null) throw new UsageError('ACTIONS_ID_TOKEN_REQUEST_URL is not a URL');
  url.searchParams.set('audience', audience);
  return (await send(url.href, IdentityToken, { headers: { authorization: `bearer ${jobToken}` } })).value;
}

type Job = { endpoint: string; jobToken: string; audience: string };

/** GitHub's event about a new pull request may arrive this much later than its workflow starts. */
const EVENT_WAIT_MS = 60_000;
const PAUSE_MS = 3_000;

type Say = (text: string) => void;

async function exchange(url: string, body: object, say: Say) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const end = Date.now() + EVENT_WAIT_MS;
  for (;;) {
    try {
      return await send(url, WorkflowToken, init);
    } catch (error) {
      const isEarly = error instanceof RefusedError && error.code === 'pull_request_unknown';
      if (!isEarly || Date.now() >= end) throw error;
      say(error.message);
      await pause(PAUSE_MS);
    }
  }
}

/** Signs in as a GitHub workflow, and again when the token is about to expire. */
function signInAsWorkflow(address: string, suite: string | null, job: Job, say: Say): Server['signIn'] {
  let kept: { signedIn: SignedIn; until: number } | null = null;
  return async () => {
    if (kept !== null && Date.now() < kept.until) return kept.signedIn;
    const token = await askForIdentityToken(job.endpoint, job.jobToken, job.audience);
    const body = { token, ...(suite === null ? {} : { testSuiteId: suite }) };
    const { secret, testSuiteId, expiresAt } = await exchange(`${address}/api/auth/oidc/github`, body, say);
    kept = { signedIn: { token: secret, suite: testSuiteId }, until: Date.parse(expiresAt) - MARGIN_MS };
    return kept.signedIn;
  };
}

/**
 * The token from `PIXELGATE_TOKEN`, or, in a GitHub workflow without it, the token that its identity token is exchanged
 * for.
 * @throws UsageError when there is neither.
 */
export function readServer(
  address: string,
  suite: string | null,
  { env, say }: { env: NodeJS.ProcessEnv; say: Say },
): Server {
  const set = (name: string) => (env[name] === undefined || env[name] === '' ? null : env[name]);
  const token = set('PIXELGATE_TOKEN')?.trim() ?? null;
  if (token !== null) {
    // The error of a header that can't be sent repeats it, and logs of CI are read by many.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('PIXELGATE_TOKEN is not a token');
    return { address, signIn: async () => ({ token, suite: null }) };
  }
  const endpoint = set('ACTIONS_ID_TOKEN_REQUEST_URL');
  const jobToken = set('ACTIONS_ID_TOKEN_REQUEST_TOKEN');
  if (endpoint !== null && jobToken !== null) {
    const audience = set('PIXELGATE_AUDIENCE') ?? new URL(address).origin;
    return { address, signIn: signInAsWorkflow(address, suite, { endpoint, jobToken, audience }, say) };
  }
  const hint =
    set('GITHUB_ACTIONS') === null
      ? ''
      : '. A GitHub workflow needs none with `permissions: id-token: write`, unless it runs for a pull request from a fork';
  throw new UsageError(`PIXELGATE_TOKEN is not set${hint}`);
}

/** @throws UsageError when no suite is named and the server has not chosen one; RefusedError */
export async function chooseSuite({ signIn }: Server, suite: string | null): Promise<string> {
  const chosen = suite ?? (await signIn()).suite;
  if (chosen === null) throw new UsageError('--suite or PIXELGATE_SUITE is not set');
  return chosen;
}
