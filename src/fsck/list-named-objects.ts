import type { Db } from '../db/database.ts';
import {
  findObjectsOfResults,
  findObjectsOfVersions,
  findOtherObjects,
  findResultPlaces,
  findRunIdsOfSuite,
  findVersionPlaces,
} from './named-object-store.ts';
import type { NamedObject, OtherObjects, OtherTable, ResultPlace, VersionPlace } from './named-object-store.ts';
import { readBatches } from './read-batches.ts';

const BATCH = 1000;

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

async function* listOfVersions(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  const read = (after: VersionPlace | null, size: number) => findVersionPlaces(db, suiteId, after, size);
  for await (const versions of readBatches(BATCH, read)) yield* await findObjectsOfVersions(db, idsOf(versions));
}

async function* listOfRun(db: Db, runId: string): AsyncGenerator<NamedObject> {
  const read = (after: ResultPlace | null, size: number) => findResultPlaces(db, runId, after, size);
  for await (const results of readBatches(BATCH, read)) yield* await findObjectsOfResults(db, idsOf(results));
}

async function* listOfRuns(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  const read = (after: string | null, size: number) => findRunIdsOfSuite(db, suiteId, after, size);
  for await (const ids of readBatches(BATCH, read)) for (const id of ids) yield* listOfRun(db, id);
}

async function* listOthers(db: Db, table: OtherTable, suiteId: string): AsyncGenerator<NamedObject> {
  const read = (after: OtherObjects | null, size: number) => findOtherObjects(db, table, suiteId, after, size);
  for await (const rows of readBatches(BATCH, read)) {
    for (const { names, by } of rows) {
      yield* names.filter((name) => name !== null).map((name) => ({ name, by }));
    }
  }
}

/** Every object that a row of the suite names, save the files of builds. One that several rows name comes several times. */
export async function* listNamedObjects(db: Db, suiteId: string): AsyncGenerator<NamedObject> {
  yield* listOfVersions(db, suiteId);
  yield* listOfRuns(db, suiteId);
  yield* listOthers(db, 'ignored_changes', suiteId);
  yield* listOthers(db, 'page_trials', suiteId);
  yield* listOthers(db, 'screenshot_comparisons', suiteId);
}
