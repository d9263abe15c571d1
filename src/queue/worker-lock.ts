import { Client } from 'pg';
import { errorMessage } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** The first key of our advisory locks: "pixg". The second is a hash of the worker's id, or 0 for the installation. */
export const LOCK_NAMESPACE = 0x70697867;

const HEARTBEAT_MS = 2_000;
/** Without an answer to a heartbeat for this long, the server counts as unreachable. */
const HEARTBEAT_TIMEOUT_MS = 6_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The server ends a session that was silent for 15 s. This releases the lock of a host that vanished or a thread that
 * froze. A killed process does not need it: the kernel closes its sockets, and the server notices at once.
 */
const SESSION_SETTINGS = `
  set idle_session_timeout = '15s';
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3;
`;

export type WorkerLock = {
  /** Marks the worker as alive. False: the lock is not available, and the worker must take no job. */
  hold(workerId: string): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * A separate session whose advisory locks show which workers are alive. The locks end with the session, which ends
 * with the process. `onLost` is called once when the session breaks: from then on, others may have taken our jobs.
 */
export async function openWorkerLock(databaseUrl: string, log: Logger, onLost: () => void): Promise<WorkerLock> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'pixelgate worker lock',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    keepAlive: true,
  });
  let open = false;
  let heartbeat: NodeJS.Timeout | undefined = undefined;
  const lose = (reason: string) => {
    if (!open) return;
    open = false;
    clearInterval(heartbeat);
    log.error({ reason }, 'the worker lock was lost');
    onLost();
  };
  client.on('error', (error) => lose(error.message));
  client.on('end', () => lose('the connection ended'));
  await client.connect();
  await client.query(SESSION_SETTINGS);
  open = true;
  let last: Promise<unknown> = Promise.resolve();
  /** Runs one query at a time, as pg requires. False when the session is no longer usable. */
  const ask = (text: string, values: unknown[] = []): Promise<boolean> => {
    const answer = last.then(async () => {
      try {
        const { rows } = await client.query<{ yes: boolean }>(text, values);
        return rows[0]?.yes === true;
      } catch (error) {
        lose(errorMessage(error));
        return false;
      }
    });
    last = answer;
    return answer;
  };
  heartbeat = setInterval(() => void ask('select true as yes'), HEARTBEAT_MS);

  return {
    hold: (workerId) => ask('select pg_try_advisory_lock($1, hashtext($2)) as yes', [LOCK_NAMESPACE, workerId]),
    async close() {
      const wasOpen = open;
      open = false;
      clearInterval(heartbeat);
      // A lost connection does not respond to the goodbye.
      if (wasOpen) await client.end();
      else void client.end().catch(() => undefined);
    },
  };
}
