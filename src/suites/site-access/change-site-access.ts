import { isDeepStrictEqual } from 'node:util';
import { personName, toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { isSentTo } from '../../net/sent-access.ts';
import { formatDate } from '../../text/format.ts';
import { lockSettings } from '../suite-store.ts';
import type { SuiteFor } from '../suite.ts';
import { isPreviewHost, unsafeHosts } from './preview-host.ts';
import { findAccessChanges, findSiteAccess, removeSiteAccess, writeSiteAccess } from './site-access-store.ts';
import {
  ACCESS_KINDS,
  ACCESS_WORDS,
  SITE_SECRETS,
  SiteSecrets,
  summarize,
  type AccessChange,
  type AccessKind,
  type AccessSummary,
} from './site-access.ts';

/** `undefined` keeps a kind, and null removes it. */
export type AccessChangeInput = { [K in AccessKind]?: SiteSecrets[K] | null } & {
  previewHosts?: string[] | undefined;
};

type Shown = { origin?: string | undefined; previewHosts?: string[] | undefined };

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
 * Changes the access to the suite's site, and records who did. A kind that is given is sent to the suite's current
 * origin. It replaces every kind that was given for another one.
 * @param shown what the person was told: to which origin it is sent, and to which preview hosts
 * @throws AppError not_found; invalid when nothing would be left; conflict when it would be sent to another origin, or
 * somebody else has changed the hosts.
 */
export async function changeSiteAccess(
  ctx: ChangeContext,
  suite: Admin,
  change: AccessChangeInput,
  shown: Shown = {},
): Promise<void> {
  if (shown.origin !== undefined && shown.origin !== suite.origin) {
    const message = `The suite’s URL is now ${suite.origin}. Nothing was changed, and nothing is sent there`;
    throw conflict(message, 'changed_meanwhile');
  }
  await write(ctx, suite, change, { keeps: true, shownHosts: shown.previewHosts });
}

/** Nobody restores a host that somebody else has removed, or sends anything to one that they were not shown. */
function assertHosts(hosts: string[], shown: string[]): void {
  if (isDeepStrictEqual(hosts, shown)) return;
  const now = hosts.length === 0 ? 'There are now no preview hosts' : `The preview hosts are now ${hosts.join(', ')}`;
  throw conflict(`${now}. Nothing was changed`, 'changed_meanwhile');
}

async function write(
  ctx: ChangeContext,
  suite: Admin,
  change: AccessChangeInput,
  { keeps, shownHosts }: { keeps: boolean; shownHosts?: string[] | undefined },
): Promise<void> {
  const { id } = suite;
  const kinds = await inTransaction(ctx.db, async (trx) => {
    if ((await lockSettings(trx, id)) === null) throw notFound('Suite');
    const stored = keeps ? await findSiteAccess(trx, id) : null;
    if (shownHosts !== undefined) assertHosts(stored?.previewHosts ?? [], shownHosts);
    const enters = ACCESS_KINDS.some((kind) => change[kind] !== undefined && change[kind] !== null);
    // What was entered for another origin is not sent to this one: it stays where it is, or goes.
    const origin = stored === null || enters ? suite.origin : stored.origin;
    const kept = stored?.origin === origin ? (SITE_SECRETS.open(ctx.config, id, stored.sealed) ?? {}) : {};
    const secrets = merge(kept, change);
    const summary = summarize(secrets);
    if (summary.length === 0) throw invalid('At least one kind of access must be given');
    await writeSiteAccess(trx, {
      testSuiteId: id,
      origin,
      previewHosts: change.previewHosts ?? stored?.previewHosts ?? [],
      kinds: summary,
      sealed: SITE_SECRETS.seal(ctx.config, id, secrets),
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
  const isOpen = SITE_SECRETS.open(config, suite.id, stored.sealed) !== null;
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
