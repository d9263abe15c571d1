import { personName } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { isSentTo } from '../../net/sent-access.ts';
import { formatDate } from '../../text/format.ts';
import type { SuiteFor } from '../suite.ts';
import { isPreviewHost, unsafeHosts } from './preview-host.ts';
import { findAccessChanges, findSiteAccess } from './site-access-store.ts';
import { ACCESS_WORDS, type AccessChange, type AccessSummary } from './site-access.ts';
import { openSecrets } from './site-secrets.ts';

/** Kinds and names, never a value. */
export type AccessReport = {
  kinds: AccessSummary[];
  /** Where it is sent. Null if there is none. */
  origin: string | null;
  previewHosts: string[];
  /** The patterns that are not used, because a stranger could have a host that they match. */
  unusedPreviewHosts: string[];
  /** Why it exists but is not sent. */
  problem: 'OTHER_ORIGIN' | 'OTHER_SECRET' | null;
  /** Newest first. */
  changes: AccessChange[];
};

const CHANGES = 20;

export async function readSiteAccess(
  { db, config }: Pick<Context, 'db' | 'config'>,
  suite: SuiteFor<'suite.access'>,
): Promise<AccessReport> {
  const stored = await findSiteAccess(db, suite.id);
  const changes = await findAccessChanges(db, suite.id, CHANGES);
  if (stored === null)
    return { kinds: [], origin: null, previewHosts: [], unusedPreviewHosts: [], problem: null, changes };
  const { kinds, origin, previewHosts } = stored;
  const isOpen = openSecrets(config, stored) !== null;
  const problem = !isOpen ? 'OTHER_SECRET' : origin === suite.origin ? null : 'OTHER_ORIGIN';
  return { kinds, origin, previewHosts, unusedPreviewHosts: unsafeHosts(previewHosts), problem, changes };
}

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
  const who = personName(last?.by ?? null);
  const unused =
    stored.origin === stored.suiteOrigin ? '' : ' It is not sent, because the suite’s URL has changed since.';
  const unsafe = unsafeHosts(stored.previewHosts);
  const dropped =
    unsafe.length === 0 ? '' : ` It is not sent to ${unsafe.join(', ')}, because other people could have such a host.`;
  return `Access to the site: ${what}; changed by ${who} on ${formatDate(stored.updatedAt)}.${unused}${dropped}`;
}

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
