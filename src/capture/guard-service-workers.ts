import type { CDPSession, Route } from 'playwright';
import { z } from 'zod';
import { isSentTo } from '../net/sent-access.ts';
import { failUnanswered, toFulfillment } from './answer-requests.ts';
import { isBlocked } from './browser/block-hosts.ts';
import type { CaptureRequest, SiteAnswer } from './browser/capture-request.ts';
import type { OpenPage } from './open-page.ts';
import { headersFor } from './site-access/send-access.ts';

/*
 * Requests of a service worker are invisible in the sessions of its page. Each worker gets its own session, nested in
 * one of the page's, which pauses every hop of every request. Only Playwright sees the request for the worker's script:
 * it is held until that session exists, so that no request is missed.
 */

/** A worker that this page does not control, such as one of a frame of another origin, gets no session. ms */
const SESSION_MS = 5000;

type Header = { name: string; value: string };
type Asked = { method: string; url: string; headers: Record<string, string> };

/** What happens with a request. */
type Decision =
  | { kind: 'block' }
  | ({ kind: 'answer' } & SiteAnswer)
  /** Null: unchanged. */
  | { kind: 'continue'; headers: Header[] | null };

type Guarded = Pick<CaptureRequest, 'blockHosts' | 'site' | 'access'>;

async function decide({ blockHosts, site, access }: Guarded, asked: Asked, scriptUrl: string): Promise<Decision> {
  // No globs match everything.
  if (blockHosts.length > 0 && isBlocked(blockHosts, asked.url)) return { kind: 'block' };
  if (site !== null && new URL(asked.url).origin === site.origin) {
    return { kind: 'answer', ...(await site.answer(asked.method, asked.url)) };
  }
  if (access === null || access.headers.length === 0) return { kind: 'continue', headers: null };
  const headers = headersFor(access, { request: asked, isFromSite: isSentTo(access, scriptUrl) });
  return { kind: 'continue', headers };
}

const Answer = z.object({ id: z.number() });

const Paused = z.object({
  requestId: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
});
type Paused = z.infer<typeof Paused>;
const PausedEvent = z.object({ method: z.literal('Fetch.requestPaused'), params: Paused });

/** The command of the Fetch domain that carries a decision out. */
function toCommand(requestId: string, decision: Decision): [method: string, params: object] {
  switch (decision.kind) {
    case 'block':
      return ['Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }];
    case 'answer':
      return ['Fetch.fulfillRequest', toFulfillment(requestId, decision)];
    case 'continue': {
      const { headers } = decision;
      return ['Fetch.continueRequest', { requestId, ...(headers === null ? {} : { headers }) }];
    }
  }
}

/** The sessions of workers that wait for their script, by its URL. */
type Ready = { take(url: string): Promise<boolean>; add(url: string): void };

function awaitSessions(): Ready {
  const ready: string[] = [];
  let waiting: (() => void)[] = [];
  return {
    add(url) {
      ready.push(url);
      for (const look of waiting) look();
      waiting = [];
    },
    async take(url) {
      const end = Date.now() + SESSION_MS;
      for (;;) {
        const at = ready.indexOf(url);
        if (at !== -1) {
          ready.splice(at, 1);
          return true;
        }
        const left = end - Date.now();
        if (left <= 0) return false;
        await new Promise<void>((resolve) => {
          setTimeout(resolve, left);
          waiting.push(resolve);
        });
      }
    },
  };
}

/** Takes hold of each worker before it starts. */
async function attachWorkers(
  cdp: CDPSession,
  ready: Ready,
  onPaused: (paused: Paused, scriptUrl: string) => Promise<[method: string, params: object]>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const scripts = new Map<string, string>();
  const answered = new Map<string, () => void>();
  let last = 0;
  const send = (sessionId: string, method: string, params: object, done = () => {}) => {
    last += 1;
    answered.set(`${sessionId} ${last}`, done);
    const message = JSON.stringify({ id: last, method, params });
    // The worker may be gone.
    cdp.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => undefined);
  };
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo: { url } }) => {
    scripts.set(sessionId, url);
    send(sessionId, 'Fetch.enable', { patterns: [{ urlPattern: '*' }] }, () => ready.add(url));
    send(sessionId, 'Runtime.runIfWaitingForDebugger', {});
  });
  cdp.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const said: unknown = JSON.parse(message);
    const key = `${sessionId} ${Answer.safeParse(said).data?.id}`;
    answered.get(key)?.();
    answered.delete(key);
    const paused = PausedEvent.safeParse(said).data?.params;
    if (paused === undefined) return;
    onPaused(paused, scripts.get(sessionId) ?? '').then(([answer, about]) => send(sessionId, answer, about), onFailure);
  });
  await cdp.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    // There is no other way to get nested sessions from Playwright.
    flatten: false,
    filter: [{ type: 'service_worker' }],
  });
}

async function carryOut(route: Route, decision: Decision): Promise<void> {
  switch (decision.kind) {
    case 'block':
      return route.abort('blockedbyclient');
    case 'answer': {
      const { status, headers, body } = decision;
      return route.fulfill({ status, headers, body });
    }
    case 'continue': {
      const { headers } = decision;
      // The script of a worker must not be redirected, so they go to no other origin.
      const named = headers === null ? null : Object.fromEntries(headers.map(({ name, value }) => [name, value]));
      return route.continue(named === null ? {} : { headers: named });
    }
  }
}

/**
 * Applies the restrictions of a page to its service workers: blocked hosts, the responses of a build, headers for the
 * site only.
 */
export async function guardServiceWorkers(open: OpenPage, request: Guarded): Promise<void> {
  const { page, guard } = open;
  const { blockHosts, site, access } = request;
  if (blockHosts.length === 0 && site === null && (access === null || access.headers.length === 0)) return;
  const context = page.context();
  const cdp = await guard.race(context.newCDPSession(page));
  const ready = awaitSessions();
  await guard.race(
    attachWorkers(
      cdp,
      ready,
      async (paused, url) => toCommand(paused.requestId, await decide(request, paused.request, url)),
      (error) => failUnanswered(guard, error),
    ),
  );
  const routeScript = async (route: Route): Promise<void> => {
    const asked = route.request();
    const headers = asked.headers();
    if (asked.serviceWorker() === null || headers['service-worker'] !== 'script') return route.continue();
    const url = asked.url();
    if (!(await ready.take(url))) return route.abort('blockedbyclient');
    return carryOut(route, await decide(request, { method: asked.method(), url, headers }, url));
  };
  await guard.race(
    context.route('**/*', async (route) => {
      // The context may have been closed.
      await routeScript(route).catch(() => undefined);
    }),
  );
}
