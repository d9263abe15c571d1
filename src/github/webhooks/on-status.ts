import type { StatusEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { recordPreview } from '../previews/record-preview.ts';
import { parsePreviewUrl } from '../previews/preview-address.ts';
import { repositoryKey } from './pull-request-news.ts';

/** Contract 7.11: a success may mean that the preview at the repository's template URL is up. */
export async function onStatus(
  trx: Db,
  ctx: HandlerContext,
  { sha, state, context, target_url: target, repository }: StatusEvent,
): Promise<void> {
  if (state !== 'success') return;
  await recordPreview(trx, ctx, {
    ...repositoryKey(repository),
    headSha: sha.toLowerCase(),
    source: 'STATUS',
    name: context,
    url: parsePreviewUrl(target),
  });
}
