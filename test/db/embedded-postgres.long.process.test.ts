import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from '../../src/db/connect.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createLogger } from '../../src/logger.ts';

const SCRIPT = path.join(import.meta.dirname, 'embedded-process.js');
const IN_USE = /The data directory .* is in use by another running Pixelgate \(process \d+\)/;
const log = createLogger('silent');
const isRoot = process.getuid?.() === 0;

async function query(url: string, sql: string): Promise<unknown> {
  const db = connect(url, { maxConnections: 1, log });
  try {
    const { rows } = await db.raw(sql);
    return rows;
  } finally {
    await db.destroy();
  }
}

describe('startEmbeddedPostgres', () => {
  let parent: string;
  let dataDir: string;
  let cluster: string;
  const servers: EmbeddedPostgres[] = [];
  const processes: ChildProcess[] = [];

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'pixelgate-embedded-'));
    await chmod(parent, 0o711);
    dataDir = path.join(parent, '.data');
    cluster = path.join(dataDir, 'postgres');
  });
  afterEach(async () => {
    for (const child of processes.splice(0)) child.kill('SIGKILL');
    for (const server of servers.splice(0)) await server.stop();
    await rm(parent, { recursive: true, force: true });
  });

  const start = async (onExit: (error: Error) => void = () => {}) => {
    const server = await startEmbeddedPostgres({ dataDir, log, onExit, durable: false });
    servers.push(server);
    return server;
  };

  /** The first line that a separate process prints: an address, or why there is none. */
  const startElsewhere = async () => {
    const child = spawn(process.execPath, [SCRIPT, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    processes.push(child);
    const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line');
    return { child, line: String(line) };
  };
  const kill = async (child: ChildProcess, signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'exit');
  };
  /** Leaves out the copy of the programs that root makes when the checkout is in a private directory. */
  const kept = async () => (await readdir(dataDir)).filter((name) => !name.startsWith('postgresql-')).sort();
  const lockFile = () => path.join(cluster, 'postmaster.pid');
  const serverPid = async () => Number((await readFile(lockFile(), 'utf8')).split('\n')[0]);
  const killServer = async () => process.kill(await serverPid(), 'SIGKILL');
  const untilServerIsGone = async () => {
    while ((await readdir(cluster)).includes('postmaster.pid')) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('finds everything again when it starts a second time', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await kept()).toEqual(['postgres', 'postgres-password']);
  });

  it('keeps UTF-8, sorts by code point, counts time in UTC and listens on loopback with a password only', async () => {
    const { url } = await start();
    expect(
      await query(
        url,
        `select lower('ÄB') as lowered, 'a' > 'B' as by_code_point, current_setting('server_encoding') as encoding,
          current_setting('timezone') as zone, current_setting('listen_addresses') as addresses,
          current_setting('unix_socket_directories') as sockets`,
      ),
    ).toEqual([
      { lowered: 'äb', byCodePoint: true, encoding: 'UTF8', zone: 'UTC', addresses: '127.0.0.1', sockets: '' },
    ]);
    const withoutPassword = Object.assign(new URL(url), { password: 'wrong' }).href;
    await expect(query(withoutPassword, 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('is one clear error for the second on the same directory, in this process or another, and harms neither', async () => {
    const { url } = await start();
    await expect(start()).rejects.toThrow(IN_USE);
    expect((await startElsewhere()).line).toMatch(IN_USE);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets one win when several start on an empty directory at the same moment', async () => {
    const lines = (await Promise.all([startElsewhere(), startElsewhere(), startElsewhere()])).map(({ line }) => line);
    expect(lines.filter((line) => line.startsWith('postgresql://'))).toHaveLength(1);
    expect(lines.filter((line) => IN_USE.test(line))).toHaveLength(2);
    expect(await kept()).toEqual(['postgres', 'postgres-password']);
  });

  it('takes over from a process that was killed, with all that it had stored', async () => {
    const { child, line } = await startElsewhere();
    await query(line, 'create table kept as select 42 as answer');
    await kill(child, 'SIGKILL');
    const { url } = await start();
    expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await expect(query(line, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('recovers when the server was killed together with its process', async () => {
    const { child, line } = await startElsewhere();
    await query(line, 'create table kept as select 42 as answer');
    await killServer();
    await kill(child, 'SIGKILL');
    const { url } = await start();
    expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('is not kept from starting by a lock file whose process id another program has by now', async () => {
    await (await start()).stop();
    const other = spawn('sleep', ['60']);
    processes.push(other);
    await writeFile(lockFile(), `${other.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n\nready\n`);
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('ends the server when the process ends without stopping it', async () => {
    const { child } = await startElsewhere();
    await kill(child, 'SIGINT');
    await untilServerIsGone();
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('leaves the server in peace when Ctrl-C reaches the whole process group', async () => {
    const child = spawn(process.execPath, [SCRIPT, dataDir, 'patient'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.push(child);
    const lines = createInterface({ input: child.stdout });
    const [url]: string[] = await once(lines, 'line');
    process.kill(-Number(child.pid), 'SIGINT');
    await once(lines, 'line');
    expect(await query(String(url), 'select 1 as one')).toEqual([{ one: 1 }]);
    await kill(child, 'SIGTERM');
  });

  it('tells when the server ends unasked, and only then', async () => {
    let stopped = 0;
    await (await start(() => (stopped += 1))).stop();
    expect(stopped).toBe(0);
    const gone = new Promise<Error>((resolve) => {
      void start(resolve).then(killServer);
    });
    expect((await gone).message).toContain('The database server ended');
  });

  it('clears away what a process left that was killed while it made the database', async () => {
    const half = path.join(dataDir, '.new-4194305-abcdef');
    await mkdir(path.join(half, 'cluster'), { recursive: true });
    await start();
    await expect(access(half)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses the database of another major version, and leaves it alone', async () => {
    await (await start()).stop();
    await writeFile(path.join(cluster, 'PG_VERSION'), '14\n');
    await expect(start()).rejects.toThrow(
      'was created by PostgreSQL 14, but this version of Pixelgate includes PostgreSQL 18',
    );
    expect(await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).toBe('14\n');
  });

  it('refuses a directory that is no database, and leaves it alone', async () => {
    await mkdir(cluster, { recursive: true });
    await writeFile(path.join(cluster, 'diary.txt'), 'dear');
    await expect(start()).rejects.toThrow('is not a PostgreSQL database');
    expect(await readdir(cluster)).toEqual(['diary.txt']);
  });

  if (isRoot) {
    it('serves a private data directory from elsewhere, and opens nobody’s directories', async () => {
      await chmod(parent, 0o700);
      const first = await start();
      await query(first.url, 'create table kept as select 42 as answer');
      const place = await realpath(cluster);
      await first.stop();
      expect(await query((await start()).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await servers.pop()?.stop();
      await rm(place, { recursive: true });
      await expect(start()).rejects.toThrow('is not a PostgreSQL database');
    });
  }
});
