import type { Context } from '../../context.ts';
import { formatDate } from '../../text/format.ts';
import { unsafeHosts } from './preview-host.ts';
import { findAccessChanges, findSiteAccess } from './site-access-store.ts';
import { ACCESS_WORDS, type AccessSummary } from './site-access.ts';

function describeKind({ kind, names }: AccessSummary): string {
  return names.length === 0 || kind === 'storageState'
    ? ACCESS_WORDS[kind]
    : `${ACCESS_WORDS[kind]} (${names.join(', ')})`;
}

/** One sentence for logs: which access there is, and who changed it last. Null: there is none. */
export async function describeSiteAccess({ db }: Pick<Context, 'db'>, suiteId: string): Promise<string | null> {
  const stored = await findSiteAccess(db, suiteId);
  if (stored === null) return null;
  const [last] = await findAccessChanges(db, suiteId, 1);
  const what = stored.kinds.map(describeKind).join(', ');
  const who = last?.by?.name ?? last?.by?.email ?? 'a deleted user';
  const unused =
    stored.origin === stored.suiteOrigin ? '' : ' It is not sent, because the suite’s URL has changed since.';
  const unsafe = unsafeHosts(stored.previewHosts);
  const dropped =
    unsafe.length === 0 ? '' : ` It is not sent to ${unsafe.join(', ')}, because other people could have such a host.`;
  return `Access to the site: ${what}; changed by ${who} on ${formatDate(stored.updatedAt)}.${unused}${dropped}`;
}
