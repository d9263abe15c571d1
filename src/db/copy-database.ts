import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { z } from 'zod';

/*
 * All rows of a database, as PostgreSQL's own COPY writes and reads them. The binaries of the embedded database have no
 * pg_dump. What a table computes itself is left out; the tables of migrations say which schema the rows belong to.
 */

/** A table of ours or of the queue, with the columns that hold data. */
export const CopiedTable = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) });
export type CopiedTable = z.infer<typeof CopiedTable>;

const CopiedSequence = z.object({ schema: z.string(), name: z.string(), value: z.string() });

/** `queue`: the version of the queue's tables. */
export const CopiedSchema = z.object({
  migrations: z.array(z.string()),
  queue: z.int(),
  sequences: z.array(CopiedSequence),
});
export type CopiedSchema = z.infer<typeof CopiedSchema>;

const IN_SCHEMAS = `in ('public', 'graphile_worker')`;
const NO_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

const quoted = ({ schema, name }: Pick<CopiedTable, 'schema' | 'name'>) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
const listed = ({ columns }: CopiedTable) => columns.map((column) => pg.escapeIdentifier(column)).join(', ');

async function select<T>(client: pg.Client, shape: z.ZodType<T>, sql: string): Promise<T[]> {
  const { rows } = await client.query(sql);
  return z.array(shape).parse(rows);
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'pixelgate backup' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    // Whatever transaction is open ends with its connection.
    await client.end();
  }
}

const listTables = async (client: pg.Client) =>
  select(
    client,
    CopiedTable,
    `select n.nspname::text as schema, c.relname::text as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and n.nspname ${IN_SCHEMAS} and c.relname <> 'migrations'
     group by 1, 2 order by 1, 2`,
  );

async function readSchema(client: pg.Client): Promise<CopiedSchema> {
  const names = await select(client, z.object({ name: z.string() }), 'select name from migrations order by name');
  const [queue] = await select(
    client,
    z.object({ id: z.int() }),
    'select coalesce(max(id), 0) as id from graphile_worker.migrations',
  );
  const sequences = await select(
    client,
    CopiedSequence,
    `select schemaname::text as schema, sequencename::text as name, last_value::text as value
     from pg_sequences where schemaname ${IN_SCHEMAS} and last_value is not null order by 1, 2`,
  );
  return { migrations: names.map(({ name }) => name), queue: queue?.id ?? 0, sequences };
}

/** Gives all tables to `take`, one after the other, as they are at one moment: `takenAt`, by the database's clock. */
export async function exportDatabase(
  databaseUrl: string,
  take: (table: CopiedTable, rows: Readable, takenAt: string) => Promise<void>,
): Promise<{ takenAt: string; schema: CopiedSchema }> {
  return withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(NO_LIMITS);
    const [clock] = await select(client, z.object({ now: z.date() }), 'select now()');
    const takenAt = clock?.now.toISOString() ?? '';
    for (const table of await listTables(client)) {
      await take(table, client.query(to(`copy ${quoted(table)} (${listed(table)}) to stdout`)), takenAt);
    }
    return { takenAt, schema: await readSchema(client) };
  });
}

async function hasRows(client: pg.Client): Promise<boolean> {
  for (const table of await listTables(client)) {
    const { rowCount } = await client.query(`select from ${quoted(table)} limit 1`);
    if (rowCount !== 0) return true;
  }
  return false;
}

/** Whether no table has a row. There may be no tables either. */
export async function isEmptyDatabase(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => !(await hasRows(client)));
}

/** The migrations that made the tables of a database. */
export async function readCopiedSchema(databaseUrl: string): Promise<CopiedSchema> {
  return withClient(databaseUrl, readSchema);
}

const ForeignKey = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/** Some tables refer to each other, so no order of them suits all keys: the keys are checked at the end. */
async function withoutForeignKeys(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const keys = await select(
    client,
    ForeignKey,
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace::regnamespace::text ${IN_SCHEMAS} order by 1, 2`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
}

/**
 * Fills the tables, all of them or none. Triggers do nothing: what they write is among the rows.
 * @param open the rows of a table, as `exportDatabase` gave them
 * @returns false, and nothing is changed, when a table has rows
 */
export async function importDatabase(
  databaseUrl: string,
  tables: CopiedTable[],
  sequences: CopiedSchema['sequences'],
  open: (table: CopiedTable) => Readable,
): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(NO_LIMITS);
    for (const table of tables) await client.query(`lock table ${quoted(table)} in access exclusive mode`);
    if (await hasRows(client)) return false;
    await withoutForeignKeys(client, async () => {
      for (const table of tables) {
        await client.query(`alter table ${quoted(table)} disable trigger user`);
        await pipeline(open(table), client.query(from(`copy ${quoted(table)} (${listed(table)}) from stdin`)));
        await client.query(`alter table ${quoted(table)} enable trigger user`);
      }
    });
    for (const { value, ...sequence } of sequences) {
      await client.query('select setval($1::regclass, $2)', [quoted(sequence), value]);
    }
    await client.query('commit');
    await client.query('analyze');
    return true;
  });
}
