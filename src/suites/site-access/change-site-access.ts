import { toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { invalid, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockSettings } from '../suite-store.ts';
import type { SuiteFor } from '../suite.ts';
import { findSiteAccess, removeSiteAccess, writeSiteAccess } from './site-access-store.ts';
import { ACCESS_KINDS, SiteSecrets, summarize, type AccessKind } from './site-access.ts';
import { openSecrets, sealSecrets } from './site-secrets.ts';

/** `undefined` keeps a kind, and null removes it. */
export type AccessChangeInput = { [K in AccessKind]?: SiteSecrets[K] | null } & {
  previewHosts?: string[] | undefined;
};

type ChangeContext = Pick<Context, 'db' | 'config' | 'log'>;
type Admin = SuiteFor<'suite.access'>;

function merge(before: SiteSecrets, change: AccessChangeInput): SiteSecrets {
  const kept = ACCESS_KINDS.flatMap((kind) => {
    const value = change[kind] === undefined ? before[kind] : change[kind];
    return value === null || value === undefined ? [] : [[kind, value] as const];
  });
  return SiteSecrets.parse(Object.fromEntries(kept));
}

async function recordAccess(trx: Db, { id, viewer }: Admin, kinds: AccessKind[]): Promise<void> {
  await recordEvent(trx, toActor(viewer), { kind: 'site_access.changed', suiteId: id, details: { kinds } });
}

/**
 * Changes the access to the suite's site, and records who did. From then on it is sent to the suite's current origin.
 * @throws AppError not_found; invalid when nothing would be left.
 */
export async function changeSiteAccess(ctx: ChangeContext, suite: Admin, change: AccessChangeInput): Promise<void> {
  await write(ctx, suite, change, { keeps: true });
}

async function write(
  ctx: ChangeContext,
  suite: Admin,
  change: AccessChangeInput,
  { keeps }: { keeps: boolean },
): Promise<void> {
  const { id } = suite;
  const kinds = await inTransaction(ctx.db, async (trx) => {
    if ((await lockSettings(trx, id)) === null) throw notFound('Suite');
    const stored = keeps ? await findSiteAccess(trx, id) : null;
    const secrets = merge(stored === null ? {} : (openSecrets(ctx.config, stored) ?? {}), change);
    const summary = summarize(secrets);
    if (summary.length === 0) throw invalid('At least one kind of access must be given');
    await writeSiteAccess(trx, {
      testSuiteId: id,
      origin: suite.origin,
      previewHosts: change.previewHosts ?? stored?.previewHosts ?? [],
      kinds: summary,
      sealed: sealSecrets(ctx.config, id, secrets),
    });
    const written = summary.map(({ kind }) => kind);
    await recordAccess(trx, suite, written);
    return written;
  });
  ctx.log.info({ suiteId: id, userId: suite.viewer.id, kinds }, 'changed the access to a site');
}

/** Removes every kind that is not given, and every host. @throws AppError like `changeSiteAccess` */
export async function replaceSiteAccess(
  ctx: ChangeContext,
  suite: Admin,
  access: SiteSecrets & { previewHosts?: string[] | undefined },
): Promise<void> {
  await write(ctx, suite, access, { keeps: false });
}

/** @throws AppError not_found when there is none. */
export async function deleteSiteAccess(ctx: ChangeContext, suite: Admin): Promise<void> {
  const { id, viewer } = suite;
  await inTransaction(ctx.db, async (trx) => {
    if (!(await removeSiteAccess(trx, id))) throw notFound('Access to the site');
    await recordAccess(trx, suite, []);
  });
  ctx.log.info({ suiteId: id, userId: viewer.id }, 'removed the access to a site');
}
