import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from '../../logger.ts';
import type { Binaries } from './binaries.ts';
import type { Account } from './system-account.ts';
import { STARTED_BY } from './take-over-data-directory.ts';

export type ServerOptions = {
  cluster: string;
  account: Account;
  binaries: Binaries;
  /** False: nothing is synced to disk. For tests only. */
  durable: boolean;
  log: Logger;
  /** Called once when the server ends without a call to `stop`. */
  onExit: (error: Error) => void;
};

export type Server = { port: number; stop: () => Promise<void> };

/** Why a server did not start: the end of its output. */
export type Failure = { output: string };

type Child = ChildProcessByStdio<null, null, Readable>;

const STOP_MS = 30_000;
const MAX_CONNECTIONS = 200;
const KEPT_LINES = 8;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1');
  return address.port;
}

function settings(port: number, durable: boolean): string[] {
  const pairs = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: MAX_CONNECTIONS,
    timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    log_line_prefix: '',
    // The caller reports a failed statement. Its text may contain what people typed.
    log_min_error_statement: 'panic',
    [STARTED_BY]: process.pid,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(pairs).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** In its own process group: Ctrl-C in a terminal must reach only us, because we stop the database last. */
function spawnServer(port: number, { cluster, account, binaries, durable }: ServerOptions): Child {
  return spawn(binaries.postgres, ['-D', cluster, ...settings(port, durable)], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const isRunning = (child: Child) => child.pid !== undefined && child.exitCode === null && child.signalCode === null;

async function stopServer(child: Child, ended: Promise<unknown>, log: Logger): Promise<void> {
  if (isRunning(child)) {
    child.kill('SIGINT');
    const force = setTimeout(() => {
      log.warn(
        'the database server takes too long to stop: stopping it immediately, it will recover at the next start',
      );
      child.kill('SIGQUIT');
    }, STOP_MS);
    await ended;
    clearTimeout(force);
  } else {
    await ended;
  }
}

/** Starts a server. Resolves when it accepts connections, or when it has ended before that. */
export async function launch(options: ServerOptions): Promise<Server | Failure> {
  const { log, onExit } = options;
  const port = await freePort();
  const child = spawnServer(port, options);
  const lines: string[] = [];
  let state: 'starting' | 'running' | 'stopping' = 'starting';

  // However this process ends, except by SIGKILL, the server is told to end too.
  const endWithUs = () => child.kill('SIGINT');
  process.once('exit', endWithUs);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  }).finally(() => process.off('exit', endWithUs));

  const ready = new Promise<'ready'>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const loud = state === 'running' && /^(FATAL|PANIC):/.test(line);
      log[loud ? 'error' : 'debug']({ line }, 'postgres');
      lines.push(line);
      lines.splice(0, lines.length - KEPT_LINES);
      if (line.includes('database system is ready to accept connections')) resolve('ready');
    });
  });
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== 'ready') return { output: [...lines, outcome].join('\n') };

  state = 'running';
  void ended.then((reason) => {
    if (state === 'running') onExit(new Error(`The database server ended: ${reason}`));
  });
  return {
    port,
    stop: () => {
      state = 'stopping';
      return stopServer(child, ended, log);
    },
  };
}
