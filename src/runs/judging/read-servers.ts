import type { Context } from '../../context.ts';
import { findDifferentServers } from '../../suites/different-servers-store.ts';
import type { RunFor } from '../read-run.ts';
import { previewKind } from './preview-kind.ts';
import { countMaybeOne } from './sighting-store.ts';

/** What there is to say of the servers of a run's preview and of the site. */
export type ServersOfRun = {
  /** Results that wait for an approval because the two may be one. */
  doubted: number;
  /** A person said that they are different. */
  isSaid: boolean;
};

export async function readServers({ db }: Pick<Context, 'db'>, run: RunFor): Promise<ServersOfRun> {
  if (run.runType === 'MANUAL') return { doubted: 0, isSaid: false };
  const [doubted, said] = await Promise.all([countMaybeOne(db, run.id), findDifferentServers(db, run.testSuiteId)]);
  return { doubted, isSaid: said.includes(previewKind(run)) };
}
