import type { Knex } from 'knex';

const NAMESPACE = `'public'::regnamespace`;

/** Each query returns lines, in an order that does not depend on the order of creation. */
const QUERIES = [
  `select format('column %s.%s %s%s%s%s', class.relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' else '' end,
      case when attidentity <> '' then ' identity ' || attidentity::text else '' end,
      coalesce(case when attgenerated <> '' then ' generated ' else ' default ' end || regexp_replace(pg_get_expr(adbin, adrelid), '\\s+', ' ', 'g'), '')
    ) as line
  from pg_attribute
  join pg_class as class on class.oid = attrelid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = ${NAMESPACE} and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped`,
  `select format('%s %s%s', case relkind when 'r' then 'table' when 'v' then 'view' when 'S' then 'sequence' else 'relation' end,
      relname, case relpersistence when 'u' then ' unlogged' else '' end) as line
  from pg_class where relnamespace = ${NAMESPACE} and relkind not in ('i', 'I')`,
  `select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
  from pg_constraint where connamespace = ${NAMESPACE} and contype <> 'n' and conrelid <> 0`,
  `select indexdef as line from pg_indexes where schemaname = 'public'`,
  `select pg_get_triggerdef(trigger.oid) as line
  from pg_trigger as trigger join pg_class as class on class.oid = tgrelid
  where relnamespace = ${NAMESPACE} and not tgisinternal`,
  `select pg_get_functiondef(oid) as line from pg_proc
  where pronamespace = ${NAMESPACE} and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
  `select format('extension %s', extname) as line from pg_extension where extname <> 'plpgsql'`,
  `select format('type %s %s', typname, typtype) as line
  from pg_type where typnamespace = ${NAMESPACE} and typtype in ('d', 'e', 'r')`,
];

/** The schema `public` as text, one object per line. Equal texts mean equal schemas. */
export async function dumpSchema(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(
    `select line from (${QUERIES.join(' union all ')}) as lines order by line collate "C"`,
  );
  return `${rows.map(({ line }) => line.trimEnd()).join('\n')}\n`;
}

/** Foreign keys without an index on their columns. Deleting what they reference would read the whole table. */
export async function foreignKeysWithoutIndex(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select conname as name from pg_constraint
    where contype = 'f' and connamespace = ${NAMESPACE} and not exists (
      select 1 from pg_index
      where indrelid = conrelid and indpred is null and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
    )`,
  );
  return rows.map(({ name }) => name);
}
