import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { readBatches } from './read-batches.ts';
import { readRunIds } from './run-counts-store.ts';

const BATCH = 10_000;

/** The objects that rows of a suite or a run name, with the row. */
const OF_SUITE = [
  `select id, array[file_path, elements_file, manifest_file, heard_file] as names,
          format('version %s of %s at %s', version, path, viewport) as by
   from baseline_versions where test_suite_id = :key`,
  `select id, array[baseline_file, current_file] as names, 'ignored change ' || id as by
   from ignored_changes where test_suite_id = :key`,
  `select id, array[file] as names, 'trial ' || id as by from page_trials where test_suite_id = :key`,
  `select id, array[diff_file, aligned_from_file, aligned_to_file] as names, 'comparison ' || id as by
   from screenshot_comparisons where test_suite_id = :key`,
];
const OF_RUN = `select id, array[current_file, baseline_file, diff_file, control_file, elements_file, control_elements_file,
    aligned_baseline_file, aligned_current_file, base_file, base_elements_file, base_diff_file, manifest_file, heard_file,
    control_heard_file] as names,
    format('result %s of run %s', id, test_run_id) as by
  from page_results where test_run_id = :key`;

type NamedObject = { name: string; by: string };

const Naming = z.object({ id: z.string(), names: z.array(z.string().nullable()), by: z.string() });

async function* listOf(db: Db, sql: string, key: string): AsyncGenerator<NamedObject> {
  for await (const rows of readBatches(db, Naming, { sql, key, size: BATCH })) {
    for (const { names, by } of rows) for (const name of names) if (name !== null) yield { name, by };
  }
}

/**
 * Every object that a row of the suite names, except the files of builds. An object that several rows name is listed
 * several times.
 */
export async function* listNamedObjects(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  for (const sql of OF_SUITE) yield* listOf(db, sql, suiteId);
  for await (const ids of readRunIds(db, suiteId, BATCH)) for (const id of ids) yield* listOf(db, OF_RUN, id);
}

/** Whether the folder belongs to a build of the suite whose files are still kept. */
export async function isBuildFolder(db: Db, suiteId: string, folder: string): Promise<boolean> {
  const sql = `select id from builds where test_suite_id = :suiteId and stored_as = :folder and status <> 'EXPIRED'`;
  return (await readRows(db, z.object({ id: z.string() }), sql, { suiteId, folder })).length > 0;
}
