import path from 'node:path';
import type { Knex } from 'knex';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { readRows } from '../../src/db/database.ts';

const CONFIG = path.join(import.meta.dirname, '../tooling/prettier.json');

/** The TypeScript type that the parsers in `src/db/database.ts` return for each PostgreSQL type. */
const TYPES = new Map([
  ['uuid', 'string'],
  ['text', 'string'],
  ['text[]', 'string[]'],
  ['tsvector', 'string'],
  ['boolean', 'boolean'],
  ['smallint', 'number'],
  ['integer', 'number'],
  ['integer[]', 'number[]'],
  ['bigint', 'number'],
  ['double precision', 'number'],
  ['timestamp with time zone', 'Date'],
]);

const Column = z.object({
  table: z.string(),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  hasDefault: z.boolean(),
  isGenerated: z.boolean(),
  /** CHECK constraints on only this column. */
  checks: z.array(z.string()),
});
type Column = z.infer<typeof Column>;

const readColumns = (db: Knex): Promise<Column[]> =>
  readRows(
    db,
    Column,
    `select relname as table, attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
            atthasdef and attgenerated = '' or attidentity <> '' as has_default, attgenerated <> '' as is_generated,
            array(
              select pg_get_constraintdef(oid) from pg_constraint
              where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
              order by conname
            ) as checks
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     order by relname collate "C", attname collate "C"`,
  );

/** The texts that a CHECK allows, as a union: `CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text])))`. */
function unionOf(check: string): string | null {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(check)?.[1];
  return list === undefined ? null : list.replaceAll('::text', '').replaceAll(', ', ' | ');
}

function typeOf({ table, name, type, nullable, checks }: Column): string {
  const known = type === 'jsonb' ? `JsonColumn<'${table}.${name}'>` : TYPES.get(type);
  if (known === undefined)
    throw new Error(`${table}.${name} is of type ${type}, which test/db/tables.ts does not know`);
  const [union] = checks.flatMap((check) => unionOf(check) ?? []);
  return `${union ?? known}${nullable ? ' | null' : ''}`;
}

function mark(column: Column): string {
  const type = typeOf(column);
  if (column.isGenerated) return `Generated<${type}>`;
  return column.hasDefault && !column.nullable ? `Defaulted<${type}>` : type;
}

function declare(table: string, columns: Column[]): string {
  return `${table}: Table<{ ${columns.map((column) => `${column.name}: ${mark(column)};`).join('\n')} }>;`;
}

const HEADER = `/*
 * Written by \`npm run tables\` from the schema that the migrations make. To change it, add a migration.
 */
import type { Defaulted, Generated, JsonColumn, Table } from './table.ts';

`;

/** `src/db/tables.ts` as it must be for the schema that `db` has. */
export async function describeTables(db: Knex): Promise<string> {
  const columns = await readColumns(db);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const declarations = tables.map((name) =>
    declare(
      name,
      columns.filter(({ table }) => table === name),
    ),
  );
  const source = `${HEADER}export interface Tables { ${declarations.join('\n')} }\n`;
  return format(source, { ...(await resolveConfig(CONFIG, { config: CONFIG })), parser: 'typescript' });
}
