import type { Context } from '../context.ts';
import { deleteFollow, insertFollows } from './suite-for-viewer-store.ts';
import type { SuiteFor } from './suite.ts';

/**
 * The dashboard of a person shows the newest run of each suite that they follow. The owner and everyone with whom a
 * suite is shared follow it from the start. They may stop, and start again.
 */
export async function followSuite({ db }: Pick<Context, 'db'>, suite: SuiteFor, follows: boolean): Promise<void> {
  const userId = suite.viewer.id;
  await (follows ? insertFollows(db, userId, [suite.id]) : deleteFollow(db, userId, suite.id));
}
