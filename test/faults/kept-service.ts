import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startDatabaseProxy, type Fate, type Statement } from '../support/database-proxy.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { startTcpGate } from '../support/tcp-gate.ts';

export const PARTS = ['web', 'worker'] as const;
export type Part = (typeof PARTS)[number];

/** A web and a worker process. One that is killed is started again, as a service manager does. */
export type KeptService = {
  /** Of the web process, also after it was started again. */
  url: string;
  /** Is asked about each statement of a process before the database has it. Replace it at will. */
  decide: (part: Part, statement: Statement) => Fate;
  /** Kills those of them that were not killed already. */
  kill(parts: readonly Part[]): void;
  /** How often each was killed. */
  kills: Record<Part, number>;
  /** Resolves when both are up. */
  up(): Promise<void>;
  /** Rejects when one has ended by itself. */
  ended: Promise<never>;
  /** What all of them have logged. */
  lines(): string[];
  end(): Promise<null>;
};

type Kept = {
  kill(): boolean;
  up(): Promise<void>;
  ended: Promise<never>;
  lines: string[];
  end(): Promise<void>;
};

/** @param onUp is told the address of each that is up */
function keep(env: Record<string, string>, onUp: (url: string) => void): Kept {
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  let fail: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => (fail = reject));
  ended.catch(() => undefined);
  const follow = (started: ChildProcess): void => {
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (text) => lines.push(String(text)));
    started.once('exit', () => {
      if (!started.killed) fail(new Error(`The ${env['ROLE']} ended by itself:\n${lines.join('')}`));
    });
  };
  const begin = async (): Promise<void> => {
    const { url } = await startServiceProcess(env, follow);
    onUp(url);
  };
  let current = begin();
  return {
    lines,
    ended,
    kill() {
      if (child === null || child.killed) return false;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      // One that is killed before it is up rejects.
      current.catch(() => undefined);
      current = exited.then(begin);
      return true;
    },
    async up() {
      for (;;) {
        const awaited = current;
        const [outcome] = await Promise.allSettled([awaited]);
        if (awaited !== current) continue;
        if (outcome.status === 'rejected') throw outcome.reason;
        return;
      }
    },
    async end() {
      await current;
      if (child === null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

export async function startKeptService(env: Record<string, string>): Promise<KeptService> {
  const target = { hostname: '127.0.0.1', port: 0 };
  const gate = await startTcpGate(target);
  const start = async (part: Part) => {
    const proxy = await startDatabaseProxy(env['DATABASE_URL'] ?? '');
    proxy.decide = (statement) => service.decide(part, statement);
    const kept = keep({ ...env, ROLE: part, DATABASE_URL: proxy.url }, (url) => {
      if (part === 'web') target.port = Number(new URL(url).port);
    });
    return { kept, proxy };
  };
  const service: KeptService = {
    url: `http://127.0.0.1:${gate.port}`,
    decide: () => 'pass',
    kills: { web: 0, worker: 0 },
    kill(parts) {
      for (const part of parts) if (both[part].kept.kill()) service.kills[part] += 1;
    },
    async up() {
      await Promise.all([both.web.kept.up(), both.worker.kept.up()]);
    },
    ended: new Promise(() => {}),
    lines: () => [...both.web.kept.lines, ...both.worker.kept.lines],
    async end() {
      await Promise.all([both.web.kept.end(), both.worker.kept.end()]);
      await Promise.all([gate, both.web.proxy, both.worker.proxy].map((each) => each.stop()));
      return null;
    },
  };
  const [web, worker] = await Promise.all([start('web'), start('worker')]);
  const both = { web, worker };
  service.ended = Promise.race([web.kept.ended, worker.kept.ended]);
  service.ended.catch(() => undefined);
  await service.up();
  return service;
}
