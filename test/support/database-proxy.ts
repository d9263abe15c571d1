import type { Socket } from 'node:net';
import { createMessageReader } from './postgres-messages.ts';
import { startTcpGate, type TcpGate } from './tcp-gate.ts';

/**
 * What happens to a statement. `pass`: nothing. `lost`: the connection breaks before the server has it. `unanswered`: the
 * server does it, and the connection breaks before the answer is passed on.
 */
export type Fate = 'pass' | 'lost' | 'unanswered';

export type Statement = {
  sql: string;
  /** The statement before it on its connection. */
  before: string;
  /** It is in a transaction that began before it. The statement that ends a transaction is in it. */
  isInside: boolean;
};

/** Stands between a program and PostgreSQL, and speaks its wire protocol. */
export type DatabaseProxy = Omit<TcpGate, 'port'> & {
  /** Of the same database, through the proxy. */
  url: string;
  /** Is asked about each statement before it is passed on. Replace it at will. */
  decide: (statement: Statement) => Fate;
};

/** Follows what one client sends. */
function followStatements() {
  const prepared = new Map<string, string>();
  let sql: string | null = null;
  let before = '';
  let isInside = false;
  return {
    read(type: string, body: Buffer): void {
      const [first = '', second = ''] = body.toString('utf8').split('\0');
      if (type === 'P') prepared.set(first, second);
      if (type === 'Q') sql = first;
      // A portal and a statement. The names of both may be empty.
      else if (type === 'B') sql = prepared.get(second) ?? '';
    },
    /** @returns the statement that was read since the last time. */
    take(): Statement | null {
      if (sql === null) return null;
      const statement = { sql, before, isInside };
      [sql, before] = [null, sql];
      if (/^begin/i.test(before)) isInside = true;
      else if (/^(commit|rollback)/i.test(before)) isInside = false;
      return statement;
    },
  };
}

/** Parse, Bind, Describe, Execute and Close: what is sent together, up to a Sync. */
const CONTINUED = new Set(['P', 'B', 'D', 'E', 'C']);

function joinBy(decide: (statement: Statement) => Fate): (client: Socket, server: Socket) => void {
  return (client, server) => {
    const statements = followStatements();
    let group: Buffer[] = [];
    let isUnanswered = false;
    const readClient = createMessageReader({ hasStartup: true }, (type, body, bytes) => {
      group.push(bytes);
      statements.read(type, body);
      if (CONTINUED.has(type)) return;
      const statement = statements.take();
      const fate = statement === null ? 'pass' : decide(statement);
      if (fate === 'lost') return void client.destroy();
      isUnanswered = fate === 'unanswered';
      server.write(Buffer.concat(group));
      group = [];
    });
    const readServer = createMessageReader({ hasStartup: false }, (type, _body, bytes) => {
      if (!isUnanswered) client.write(bytes);
      else if (type === 'Z') client.destroy();
    });
    client.on('data', readClient);
    server.on('data', readServer);
  };
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const gate = await startTcpGate(
    { hostname, port: Number(port) },
    joinBy((statement) => proxy.decide(statement)),
  );
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(gate.port) }).href;
  const proxy: DatabaseProxy = { ...gate, url, decide: () => 'pass' };
  return proxy;
}

/** Whether the statement may commit something: it ends a transaction, or writes outside of one. */
export const mayCommit = ({ sql, isInside }: Statement): boolean =>
  isInside ? /^commit/i.test(sql) : /^(insert|update|delete|with|select graphile_worker\.)/i.test(sql.trimStart());
