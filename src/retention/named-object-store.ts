import { z } from 'zod';
import { readBatches } from '../async/batches.ts';
import { readRows, type Db } from '../db/database.ts';

const BATCH = 10_000;
/** No row has it, and all others come after it. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The objects that rows of a suite or a run name, with the row. `diffs`: those that a comparison made. */
const OF_SUITE = {
  baseline_versions: `select id, array[file_path, elements_file, manifest_file, heard_file] as names, array[]::text[] as diffs,
          format('version %s of %s at %s', version, path, viewport) as by, true as is_version
   from baseline_versions where test_suite_id = :key`,
  baselines: `select id, array[file_path] as names, array[]::text[] as diffs,
          format('baseline of %s at %s', path, viewport) as by, true as is_version
   from baselines where test_suite_id = :key`,
  ignored_changes: `select id, array[baseline_file, current_file] as names, array[]::text[] as diffs, 'ignored change ' || id as by,
          false as is_version
   from ignored_changes where test_suite_id = :key`,
  page_trials: `select id, array[file] as names, array[]::text[] as diffs, 'trial ' || id as by, false as is_version
   from page_trials where test_suite_id = :key`,
  screenshot_comparisons: `select id, array[from_file, to_file] as names, array[diff_file, aligned_from_file, aligned_to_file] as diffs,
          'comparison ' || id as by, false as is_version
   from screenshot_comparisons where test_suite_id = :key`,
};
const RESULT_NAMES = `array[current_file, baseline_file, control_file, elements_file, control_elements_file, base_file,
    base_elements_file, manifest_file, heard_file, control_heard_file]`;
const RESULT_DIFFS = 'array[diff_file, aligned_baseline_file, aligned_current_file, base_diff_file]';
const OF_RUN = `select id, ${RESULT_NAMES} as names, ${RESULT_DIFFS} as diffs,
    format('result %s of run %s', id, test_run_id) as by, false as is_version
  from page_results where test_run_id = :key`;

/** The statements, by table: each column that names an object has to be in one, or retention removes what it names. */
export const NAMING_SQL: Readonly<Record<string, string>> = { ...OF_SUITE, page_results: OF_RUN };

/** Every name in the rows of a run, as a set. */
export const NAMES_OF_RUN_SQL = `select distinct name from page_results
  cross join lateral unnest(${RESULT_NAMES} || ${RESULT_DIFFS}) as name where test_run_id = :runId and name is not null`;

/** `as`: what the row takes the object for. */
type NamedObject = { name: string; by: string; as: 'baseline' | 'screenshot' | 'diff' };

const Naming = z.object({
  id: z.string(),
  names: z.array(z.string().nullable()),
  diffs: z.array(z.string().nullable()),
  by: z.string(),
  isVersion: z.boolean(),
});

/**
 * What the rows of a statement name. One batch of them is in memory at a time. No snapshot is held between two batches:
 * that would keep the database from vacuuming. @param key `:key` in the statement
 */
async function* listOf(db: Db, sql: string, key: string): AsyncGenerator<NamedObject> {
  const part = `select * from (${sql}) as rows where id > :after::uuid order by id limit :limit`;
  const batches = readBatches<z.output<typeof Naming>>(BATCH, async (last, limit) =>
    readRows(db, Naming, part, { key, after: last?.id ?? FIRST_ID, limit }),
  );
  for await (const rows of batches) {
    for (const { names, diffs, by, isVersion } of rows) {
      for (const name of names) if (name !== null) yield { name, by, as: isVersion ? 'baseline' : 'screenshot' };
      for (const name of diffs) if (name !== null) yield { name, by, as: 'diff' };
    }
  }
}

/** What the results of a run name. */
export const listNamedByRun = (db: Db, runId: string): AsyncGenerator<NamedObject> => listOf(db, OF_RUN, runId);

/** What rows of the suite name that belong to no run. */
export async function* listNamedBySuite(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  for (const sql of Object.values(OF_SUITE)) yield* listOf(db, sql, suiteId);
}

/** `size` at a time. */
export const findRunIds = (db: Db, suiteId: string, size: number): AsyncGenerator<string[]> =>
  readBatches<string>(size, async (last, limit) =>
    db('test_runs')
      .where({ test_suite_id: suiteId })
      .where('id', '>', last ?? FIRST_ID)
      .orderBy('id')
      .limit(limit)
      .pluck('id'),
  );

/**
 * Every object that a row of the suite names, except the files of builds. An object that several rows name is listed
 * several times.
 */
export async function* findNamedObjects(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  yield* listNamedBySuite(db, suiteId);
  for await (const ids of findRunIds(db, suiteId, BATCH)) for (const id of ids) yield* listNamedByRun(db, id);
}
