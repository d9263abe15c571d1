import type { Logger } from '../logger.ts';

/** `run` is called at the start, and again `everyMs` after each run has ended. */
export type ScheduledTask = { name: string; everyMs: number; run: () => Promise<unknown> };

export type Schedule = { stop(): Promise<void> };

/**
 * Runs the periodic tasks of a host. It uses plain timers instead of Bree: Bree starts a worker thread for every run,
 * and a run here is only a statement or two. A task never overlaps itself. A task that throws is logged and runs
 * again next time. `stop` waits for running tasks.
 */
export function startSchedule(tasks: readonly ScheduledTask[], log: Logger): Schedule {
  const stops = tasks.map((task) => repeat(task, log));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function repeat({ name, everyMs, run }: ScheduledTask, log: Logger): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const runOnce = async () => {
    try {
      await run();
    } catch (error) {
      log.error({ err: error, task: name }, 'a scheduled task failed');
    }
    if (!stopped) timer = setTimeout(begin, everyMs);
  };
  const begin = () => {
    running = runOnce();
  };
  begin();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
