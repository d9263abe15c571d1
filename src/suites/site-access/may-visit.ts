import type { Context } from '../../context.ts';
import { isSentTo } from '../../net/sent-access.ts';
import { isPreviewHost } from './preview-host.ts';
import { findSiteAccess } from './site-access-store.ts';

/** Whether the URL is on the suite's own site, or on a host whose previews may get its access. */
export async function mayVisit(
  { db }: Pick<Context, 'db'>,
  suite: { id: string; origin: string },
  url: string,
): Promise<boolean> {
  if (isSentTo(suite, url)) return true;
  const access = await findSiteAccess(db, suite.id);
  return access !== null && /^https?:/.test(url) && isPreviewHost(access.previewHosts, url);
}
