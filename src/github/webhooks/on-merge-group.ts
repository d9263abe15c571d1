import type { Db } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { MergeGroupEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { repositoryKey } from './pull-request-news.ts';

/** There is nothing to do for a destroyed group. */
export async function onMergeGroup(trx: Db, ctx: HandlerContext, payload: MergeGroupEvent): Promise<void> {
  if (payload.action !== 'checks_requested') return;
  const repository = repositoryKey(payload.repository);
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repository);
  const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
  if (suites.length === 0 || installationId === undefined) return;
  const { head_sha: headSha, head_ref: headRef } = payload.merge_group;
  await enqueue(trx, 'judge-merge-group', { ...repository, headSha, headRef, installationId });
}
