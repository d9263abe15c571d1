import type { Logger } from '../logger.ts';

/** A duty that comes round: `tick` is called at the start, and `everyMs` after it last ended. */
export type ClockDuty = { name: string; everyMs: number; tick: () => Promise<void> };

export type Clocks = { stop(): Promise<void> };

/**
 * Keeps the periodic duties of a host. Plain timers, and not Bree: its clocks start a worker thread for every tick, and
 * a tick here is a statement or two. A tick never overlaps itself, one that throws is logged and comes round again, and
 * `stop` waits for those under way.
 */
export function startClocks(duties: readonly ClockDuty[], log: Logger): Clocks {
  const stops = duties.map((duty) => startClock(duty, log));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function startClock({ name, everyMs, tick }: ClockDuty, log: Logger): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = async () => {
    try {
      await tick();
    } catch (error) {
      log.error({ err: error, clock: name }, 'a periodic task failed');
    }
    if (!stopped) timer = setTimeout(begin, everyMs);
  };
  const begin = () => {
    running = run();
  };
  begin();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
