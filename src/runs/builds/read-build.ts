import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { findBuild } from './build-store.ts';
import type { Build } from './build.ts';

/** @throws AppError not_found, also for a build that is still being stored. */
export async function readBuild(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.read'>,
  id: string,
): Promise<Build> {
  const build = await findBuild(db, suite.id, id);
  if (build === null) throw notFound('Build');
  return build;
}
