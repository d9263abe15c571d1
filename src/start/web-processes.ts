import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { addMetrics } from '../http/metrics.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Logger } from '../logger.ts';
import { createRestartDelay } from '../restart-delay.ts';
import { settlesWithin } from '../time-limit.ts';
import { FromWeb } from './web-messages.ts';
import type { ToWeb } from './web-messages.ts';

type WebProcessesOptions = {
  count: number;
  /** The compiled module that each process runs. */
  entry: URL;
  log: Logger;
  /** How long `stop` waits for processes to end on their own. */
  stopMs?: number;
};

/** What web processes need to begin with. */
type Work = {
  config: Config;
  databaseUrl: string;
  /** Those of this process, which a scrape adds to those of the others. */
  metrics: Pick<Metrics, 'collect'>;
};

export type WebProcesses = {
  /**
   * Resolves when all of them listen, to where that is.
   * @throws what the first that could not has thrown.
   */
  serve(work: Work): Promise<string>;
  /** Also when they have been stopped before. */
  stop: () => Promise<void>;
};

/** A process that does not tell its numbers in time is left out: the others are needed even more then. */
const COLLECT_MS = 2_000;
/** Longer than requests in progress get, and what they queue. */
const STOP_MS = 15_000;

const send = (worker: Worker, message: ToWeb) => {
  // It may end at any moment. Then nobody waits for the message.
  if (worker.isConnected()) worker.send(message, () => {});
};

function toError({ message, code, syscall }: Extract<FromWeb, { type: 'failed' }>): Error {
  return Object.assign(new Error(message), code === null ? {} : { code }, syscall === null ? {} : { syscall });
}

/** Asks processes for what they have counted. */
function createCollector() {
  const waiting = new Map<number, (collected: object[]) => void>();
  let asked = 0;
  return {
    async collect(worker: Worker): Promise<object[]> {
      asked += 1;
      const id = asked;
      const answered = new Promise<object[]>((resolve) => waiting.set(id, resolve));
      send(worker, { type: 'collect', id });
      const isInTime = await settlesWithin(COLLECT_MS, answered);
      waiting.delete(id);
      return isInTime ? answered : [];
    },
    collected: (id: number, collected: object[]) => waiting.get(id)?.(collected),
  };
}

/**
 * Starts processes that answer requests at one address, and keeps them alive. They load their code at once, and wait for
 * `serve`. Connections are shared out between them in turn. One that ends is started again, with a longer delay each time
 * that it ends soon; they all end when this process does.
 */
export function startWebProcesses({ count, entry, log, stopMs = STOP_MS }: WebProcessesOptions): WebProcesses {
  cluster.setupPrimary({ exec: fileURLToPath(entry), serialization: 'advanced' });
  const workers = new Set<Worker>();
  /** Those that read messages. */
  const ready = new WeakSet<Worker>();
  const collector = createCollector();
  const delays = createRestartDelay();
  const timers = new Map<string, NodeJS.Timeout>();
  let begin = (_work: Work) => {};
  const begun = new Promise<Work>((resolve) => {
    begin = resolve;
  });
  let stopping = false;

  async function tellWork(worker: Worker) {
    ready.add(worker);
    const { config, databaseUrl } = await begun;
    send(worker, { type: 'start', config, databaseUrl });
  }

  async function answerScrape(worker: Worker, id: number) {
    const { metrics } = await begun;
    const collected = await Promise.all([metrics.collect(), ...[...workers].map((each) => collector.collect(each))]);
    send(worker, { type: 'metrics', id, text: await addMetrics(collected) });
  }

  function restartLater(name: string, end: string | number) {
    const delayMs = delays.next(name);
    log.warn({ process: name, end, delayMs }, 'a web process ended and will be restarted');
    const restart = () =>
      run(name).catch((error: unknown) => log.error({ err: error, process: name }, 'could not restart a web process'));
    timers.set(
      name,
      setTimeout(() => void restart(), delayMs),
    );
  }

  /** Resolves when it listens, to where that is. */
  async function run(name: string): Promise<string> {
    const worker = cluster.fork();
    workers.add(worker);
    delays.started(name);
    return new Promise((resolve, reject) => {
      worker.on('message', (raw: unknown) => {
        const message = FromWeb.parse(raw);
        if (message.type === 'ready') void tellWork(worker);
        if (message.type === 'listening') resolve(message.url);
        if (message.type === 'failed') reject(toError(message));
        if (message.type === 'collected') collector.collected(message.id, message.metrics);
        if (message.type === 'scrape') void answerScrape(worker, message.id);
      });
      worker.on('error', (error) => log.error({ err: error, process: name }, 'a web process failed'));
      worker.once('exit', (code, signal) => {
        workers.delete(worker);
        reject(new Error(`A web process ended at its start (${signal ?? code})`));
        if (!stopping) restartLater(name, signal ?? code);
      });
    });
  }

  async function stop(): Promise<void> {
    stopping = true;
    for (const timer of timers.values()) clearTimeout(timer);
    const ended = Promise.all([...workers].map((worker) => once(worker, 'exit')));
    for (const worker of workers) {
      if (ready.has(worker)) send(worker, { type: 'stop' });
      else worker.process.kill('SIGKILL');
    }
    if (await settlesWithin(stopMs, ended)) return;
    log.warn('terminating web processes that did not stop');
    for (const worker of workers) worker.process.kill('SIGKILL');
    await ended;
  }

  const first = Array.from({ length: count }, (_, index) => run(`web-${index + 1}`));
  const listening = Promise.all(first);
  // Who calls `serve` is told. Until then, nobody needs to know.
  listening.catch(() => {});
  return {
    async serve(work) {
      begin(work);
      const [url] = await listening;
      if (url === undefined) throw new Error('There must be a web process');
      return url;
    },
    stop,
  };
}
