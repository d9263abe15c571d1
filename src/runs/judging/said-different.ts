import type { Db } from '../../db/database.ts';
import { findDifferentServers } from '../../suites/different-servers-store.ts';
import type { Run } from '../run.ts';
import { previewKind } from './preview-kind.ts';

/** Whether a person said that the run's preview is on another server than the site. */
export async function isSaidDifferent(
  db: Db,
  run: Pick<Run, 'testSuiteId' | 'runType' | 'targetBaseUrl'>,
): Promise<boolean> {
  return (await findDifferentServers(db, run.testSuiteId)).includes(previewKind(run));
}
