import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { connect } from '../../../dist/db/connect.js';
import { createLogger } from '../../../dist/logger.js';
import { listen } from '../listen.js';

async function freePort() {
  const { origin, stop } = await listen(() => {});
  await stop();
  return new URL(origin).port;
}

async function answers(url) {
  const db = connect(url, { maxConnections: 1, pooled: true, log: createLogger('silent') });
  try {
    await db.raw('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await db.destroy();
  }
}

/** PgBouncer in transaction mode in front of this database. Null where it is not installed. */
export async function startPooler(databaseUrl, dir) {
  if (spawnSync('pgbouncer', ['--version']).error !== undefined) return null;
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const [own, file] = [await freePort(), path.join(dir, 'pgbouncer.ini')];
  const secret = decodeURIComponent(password);
  await mkdir(dir, { recursive: true, mode: 0o755 });
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${secret}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'max_client_conn = 1000',
      'default_pool_size = 20',
    ].join('\n'),
    { mode: 0o644 },
  );
  const child = spawn('pgbouncer', ['-q', ...(process.getuid() === 0 ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: own, pathname }).href;
  while (child.exitCode === null && !(await answers(url))) await after(50);
  if (child.exitCode !== null) throw new Error('PgBouncer ended at its start');
  const stop = async () => {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, stop };
}
