import type { Db } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findLinkedSuites } from '../../suites/suite-store.ts';
import type { PushEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { repositoryKey } from './pull-request-news.ts';

/** After a push to the default branch, the configuration file there is read again. */
export async function onPush(trx: Db, _ctx: HandlerContext, { ref, repository }: PushEvent): Promise<void> {
  const { default_branch: branch } = repository;
  if (branch !== undefined && ref !== `refs/heads/${branch}`) return;
  const key = repositoryKey(repository);
  if ((await findLinkedSuites(trx, key)).length > 0) await enqueue(trx, 'read-config-file', key);
}
