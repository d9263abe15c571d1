import { z } from 'zod';
import { followTurns } from './follow-turns.ts';
import { hurryScrolling, wrapObservers } from './hurry-scrolling.ts';
import { hasTakenTurns } from './shown-script.ts';
import { countSeen, endWithin, followViews } from './views-script.ts';
import {
  endSmoothScrolls,
  hideResizes,
  isCallable,
  openRoots,
  showLateFonts,
  startWatch,
  watchProperties,
  wrapAccessor,
  wrapDate,
  wrapMethod,
  type Watch,
} from './watch-script.ts';
import { watchBackgroundWork, watchRegistrations, watchStreams, type Streams } from './watch-streams.ts';
import { followStart, runTimers, watchTimers, Work, wrapTimers, type Timers } from './watch-timers.ts';

/** The activity of a document that prevents rest. Times are in milliseconds. */
export const Unrest = Work.extend({
  /** Since the last change. */
  age: z.number(),
  /** How many changes there have been. */
  changes: z.number(),
  /** Something visible is marked as busy. */
  busy: z.boolean(),
  /** Something is still to come from a stream, a worker or background work. */
  silent: z.boolean(),
  /** The page has registered a service worker. */
  registers: z.boolean(),
});
export type Unrest = z.infer<typeof Unrest>;

const KEY = 'pixelgate.watch';

function readUnrest(watch: Watch, streams: Streams, work: Work): Unrest {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    watch.observe(root);
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
  }
  const busy = roots.flatMap((root) => [...root.querySelectorAll('[aria-busy=true]')]);
  const silent = streams.areSilent();
  return {
    ...work,
    age: watch.now() - watch.changedAt(),
    changes: watch.changes(),
    busy: busy.some((element) => element.checkVisibility()),
    live: work.live || silent || streams.maySpeak(),
    silent,
    registers: streams.haveServiceWorker(),
  };
}

function answerUnrest(
  key: string,
  watch: Watch,
  watchClock: (now: () => number, latest: number) => Timers,
  latest: number,
  streams: Streams,
  whenIdle: (answer: IdleRequestCallback) => void,
): void {
  let listens = false;
  const timers = watchClock(watch.now, latest);
  /** For a clock that replaced the browser's after this script. */
  let stopped: Timers | null = null;

  /** Not from the beginning, because a page that is scrolled through does not change by that. */
  const listen = () => {
    if (listens) return;
    listens = true;
    for (const event of ['scroll', 'load', 'error']) {
      document.addEventListener(event, watch.change, { capture: true, passive: true });
    }
  };
  const read = (limit: number) => {
    watch.flush();
    const work = timers.read(limit);
    const { late, reached } = stopped?.read(limit) ?? work;
    return readUnrest(watch, streams, { ...work, late, reached });
  };
  const value = {
    read,
    observe: watch.observe,
    listener: watch.change,
    followStoppedClock: () => {
      stopped = watchClock(performance.now.bind(performance), Infinity);
    },
    bringForward: (limit: number) => {
      if (stopped === null) timers.bringForward(limit);
    },
    turnOnce: () => {
      if (stopped === null) timers.turnOnce();
    },
    momentEnds: (within: number) => stopped?.momentEnds(within) ?? 0,
    /**
     * Answers after the page has run everything that was ready to run, because on a busy machine silence alone proves
     * nothing. A page that does not come to an end with it is alive.
     */
    readWhenIdle: async (limit: number) => {
      listen();
      const { didTimeout } = await new Promise<IdleDeadline>((resolve) => {
        whenIdle(resolve);
      });
      const unrest = read(limit);
      return { ...unrest, live: unrest.live || didTimeout };
    },
  };
  Object.defineProperty(globalThis, Symbol.for(key), { value });
}

/** Skips documents in a sandbox without scripts: nothing changes there, and no callback ever runs. */
function startWatching(key: string, latest: number): void {
  if (matchMedia('(scripting: none)').matches) return;
  const idle = requestIdleCallback.bind(globalThis);
  const watch = startWatch(hurryScrolling());
  watchProperties(watch);
  openRoots(watch);
  endSmoothScrolls(watch);
  hideResizes(watch);
  showLateFonts();
  const watchClock = (now: () => number, end: number) => watchTimers({ ...watch, now }, end);
  const streams = watchStreams(watch);
  answerUnrest(key, watch, watchClock, latest, streams, (answer) => idle(answer, { timeout: 1000 }));
}

const PARTS = [
  isCallable,
  wrapMethod,
  wrapAccessor,
  wrapDate,
  startWatch,
  watchProperties,
  openRoots,
  endSmoothScrolls,
  hideResizes,
  showLateFonts,
  followTurns,
  followStart,
  wrapObservers,
  hasTakenTurns,
  countSeen,
  endWithin,
  followViews,
  hurryScrolling,
  wrapTimers,
  runTimers,
  watchTimers,
  watchRegistrations,
  watchBackgroundWork,
  watchStreams,
  readUnrest,
  answerUnrest,
  startWatching,
].join('\n');

/** Runs in every frame before the page's scripts. `latest`: see `watchTimers`. */
export function watchScript(latest: number): string {
  return `(() => { ${PARTS}\nstartWatching(${JSON.stringify(KEY)}, ${latest}); })()`;
}

/** Runs after the script that stops the clock: from then on, timers are those of that clock. */
export const FOLLOW_CLOCK_SCRIPT = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.followStoppedClock()`;

/** How far a stopped clock must be advanced, at most, until momentary content is gone, ms. */
export function momentExpression(within: number): string {
  return `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.momentEnds(${within}) ?? 0`;
}

/**
 * An expression that evaluates to an Unrest, or null if the script does not run there. `limit`: timers of a later page
 * time don't count.
 */
export function unrestExpression(limit: number, whenIdle: boolean): string {
  const method = whenIdle ? 'readWhenIdle' : 'read';
  return `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.${method}(${limit}) ?? null`;
}

/** Our own listener, by which a page does not react to scrolling. */
export const OWN_LISTENER = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.listener`;

/** Runs the next turn of each recurring timer, up to this page time. */
export function bringForwardExpression(limit: number): string {
  return `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.bringForward(${limit})`;
}

/** Runs one turn of each timer that changes the page, and holds all later ones. */
export const TURN_ONCE = `globalThis[Symbol.for(${JSON.stringify(KEY)})]?.turnOnce()`;

/** A function whose `this` is a shadow root that the script can't find by itself. */
export const OBSERVE_ROOT = `function () { globalThis[Symbol.for(${JSON.stringify(KEY)})]?.observe(this); }`;
