import type { Context } from '../../context.ts';
import type { SuiteFor } from '../suite.ts';
import { openSecrets } from './open-secrets.ts';
import { unsafeHosts } from './preview-host.ts';
import { findAccessChanges, findSiteAccess } from './site-access-store.ts';
import type { AccessChange, AccessSummary } from './site-access.ts';

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
