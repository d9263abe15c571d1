import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { ownAndSharedSql } from './readable-sql.ts';
import { SUITE_KINDS, type FoundSuite } from './suite.ts';

const Found: z.ZodType<FoundSuite> = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(SUITE_KINDS),
});

const anywhere = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Suites that the viewer may read with the text in their name or URL, by name. */
export async function findSuitesByText(db: Db, viewerId: string, text: string, limit: number): Promise<FoundSuite[]> {
  const pattern = anywhere(text);
  const matching = (of: string) =>
    `(select id, name, base_url, kind from test_suites
      where ${of} and (name ilike ? or base_url ilike ?) order by lower(name), id limit ?)`;
  const bindings = [viewerId, pattern, pattern, limit];
  return readRows(
    db,
    Found,
    `select * from (${ownAndSharedSql(matching)}) as readable
     order by lower(name), id limit ?`,
    [...bindings, ...bindings, limit],
  );
}
