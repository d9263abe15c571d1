import { dropGrants } from '../access/grant-store.ts';
import { raiseGrant } from '../access/grants.ts';
import { findAccountByEmail, findAccountById } from '../auth/find-account.ts';
import { requireAdministrator } from '../auth/manage-accounts.ts';
import { findIdentity } from '../auth/user-store.ts';
import { personName, toActor, type UserSummary, type Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, forbidden, notFound, unprocessable } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueue } from '../queue/enqueue.ts';
import { suitePrefix } from '../storage/object-name.ts';
import { mergeConfig, type SuiteConfigInput } from './config/suite-config.ts';
import { getSuiteFor } from './read-suite.ts';
import { deleteFollow, insertFollows } from './suite-for-viewer-store.ts';
import { parseHttpUrl } from './suite-input.ts';
import { insertSuite, listOwned, lockSettings, moveSuites, removeSuite, type SuiteDraft } from './suite-store.ts';
import { toRepositoryKey, type Suite, type SuiteFor, type SuiteForViewer } from './suite.ts';

export type CreateSuite = {
  name: string;
  baseUrl: string;
  description?: string | null | undefined;
  config?: SuiteConfigInput | undefined;
};

/**
 * Creates a suite that is crawled. As it has no crawl yet, the next check for due crawls queues one, unless its
 * interval is off.
 * @throws AppError invalid for a malformed address, unprocessable for one that is not allowed.
 */
export async function createSuite(
  ctx: Pick<Context, 'db' | 'network'>,
  viewer: Viewer,
  input: CreateSuite,
): Promise<SuiteFor> {
  const baseUrl = parseHttpUrl(input.baseUrl, 'baseUrl');
  await ctx.network.assertAllowed(baseUrl);
  const suite = await inTransaction(ctx.db, (trx) =>
    addSuite(trx, viewer, {
      name: input.name,
      baseUrl,
      description: input.description ?? null,
      kind: 'SUITE',
      config: mergeConfig({}, input.config ?? {}),
    }),
  );
  return getSuiteFor(ctx, viewer, suite.id, 'suite.read');
}

/** Creates the suite of a single page. The caller adds its page and first run in the same transaction. */
export async function createSinglePageSuite(
  db: Db,
  viewer: Viewer,
  { name, origin }: { name: string; origin: string },
): Promise<Suite> {
  return addSuite(db, viewer, { name, baseUrl: origin, description: null, kind: 'MANUAL', config: {} });
}

/** The owner follows it from the start. */
async function addSuite(trx: Db, viewer: Viewer, draft: Omit<SuiteDraft, 'userId'>): Promise<Suite> {
  const suite = await insertSuite(trx, { ...draft, userId: viewer.id });
  await insertFollows(trx, suite.userId, [suite.id]);
  const details = { name: suite.name, baseUrl: suite.baseUrl };
  await recordEvent(trx, toActor(viewer), { kind: 'suite.created', suiteId: suite.id, details });
  return suite;
}

/**
 * What happens to the suite's runs in the transaction that deletes it: they are locked, and the end of their checks is
 * queued. Passed in, because runs are in a room to the right.
 */
export type EndOfRuns = Record<'lock' | 'queueEndOfChecks', (trx: Db, suiteId: string) => Promise<void>>;

/**
 * Deletes the suite and all its rows at once. Jobs that commit with the deletion then remove its screenshots and end its
 * checks at the code host.
 */
export async function deleteSuite(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.delete'>,
  { lock, queueEndOfChecks }: EndOfRuns,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // Who changes a run locks it before the suite.
    await lock(trx, suite.id);
    // From here on no run of the suite can start, so no check is missed.
    if ((await lockSettings(trx, suite.id)) === null) throw notFound('Suite');
    await queueEndOfChecks(trx, suite.id);
    await removeSuite(trx, suite.id);
    const details = { name: suite.name };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'suite.deleted', suiteId: suite.id, details });
    await enqueue(trx, 'remove-suite-objects', { suiteId: suite.id });
    // Pull requests no longer show it.
    if (suite.codehost !== null) await enqueue(trx, 'gate-pull-requests', toRepositoryKey(suite.codehost));
  });
}

/** Job: removes the screenshots of a deleted suite. A capture in progress may still store one: see `keepCapture`. */
export async function removeSuiteObjects(ctx: Pick<Context, 'storage'>, payload: { suiteId: string }): Promise<void> {
  await ctx.storage.removeAll(suitePrefix(payload.suiteId));
}

/**
 * The dashboard of a person shows the newest run of each suite that they follow. The owner and everyone with whom a
 * suite is shared follow it from the start. They may stop, and start again.
 */
export async function followSuite({ db }: Pick<Context, 'db'>, suite: SuiteFor, follows: boolean): Promise<void> {
  const userId = suite.viewer.id;
  await (follows ? insertFollows(db, userId, [suite.id]) : deleteFollow(db, userId, suite.id));
}

type HandOverContext = Pick<Context, 'db' | 'log'>;

/** @throws AppError `no_such_account`, `account_disabled` (422), `already_owner` (409) */
async function findNewOwner({ db }: Pick<Context, 'db'>, email: string, ownerId: string): Promise<UserSummary> {
  const account = await findAccountByEmail({ db }, email);
  if (account === null) throw unprocessable('No account exists with this email address', 'no_such_account');
  if (account.id === ownerId) throw conflict('This account owns it already', 'already_owner');
  if ((await findIdentity(db, account.id))?.isDisabled === true) {
    throw unprocessable('This account is disabled', 'account_disabled');
  }
  return account;
}

const named = (account: UserSummary) => ({ id: account.id, name: personName(account) });

async function move(
  trx: Db,
  viewer: Viewer,
  { from, to, suiteId }: { from: UserSummary; to: UserSummary; suiteId: string | null },
): Promise<string[]> {
  const moved = await moveSuites(trx, { from: from.id, to: to.id, suiteId });
  // An owner has no grant.
  await dropGrants(trx, moved, to.id);
  await insertFollows(trx, to.id, moved);
  const details = { from: named(from), to: named(to) };
  for (const id of moved) await recordEvent(trx, toActor(viewer), { kind: 'suite.handed_over', suiteId: id, details });
  return moved;
}

/**
 * Its owner gives a suite to another account, and keeps the ADMIN role. Its tokens and its history stay.
 * @throws AppError forbidden `not_owner`, and those of `findNewOwner`
 */
export async function handOverSuite(
  { db, log }: HandOverContext,
  viewer: Viewer,
  suite: SuiteForViewer,
  email: string,
): Promise<UserSummary> {
  if (!suite.access.isOwner || suite.owner === null) {
    throw forbidden('Only its owner can hand a suite over', 'not_owner');
  }
  const from = suite.owner;
  const to = await findNewOwner({ db }, email, from.id);
  await inTransaction(db, async (trx) => {
    const moved = await move(trx, viewer, { from, to, suiteId: suite.id });
    if (moved.length === 0) throw notFound('Suite');
    await raiseGrant(trx, { suiteId: suite.id, userId: from.id, role: 'ADMIN', grantedBy: to.id });
  });
  log.info({ suiteId: suite.id, from: from.id, to: to.id }, 'handed a suite over');
  return to;
}

/**
 * An administrator gives all suites of an account to another one. The account before keeps no role on them.
 * @returns how many
 * @throws AppError not_found, forbidden `not_administrator`, and those of `findNewOwner`
 */
export async function handOverAll(
  { db, log }: HandOverContext,
  viewer: Viewer,
  accountId: string,
  email: string,
): Promise<number> {
  await requireAdministrator({ db }, viewer);
  const from = await findAccountById({ db }, accountId);
  if (from === null) throw notFound('Account');
  const to = await findNewOwner({ db }, email, from.id);
  const moved = await inTransaction(db, async (trx) => move(trx, viewer, { from, to, suiteId: null }));
  log.info({ suites: moved.length, from: from.id, to: to.id }, 'handed suites over');
  return moved.length;
}

/** The suites and single pages of an account, by name, at most `limit`. */
export async function listOwnedSuites(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  accountId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  await requireAdministrator(ctx, viewer);
  return listOwned(ctx.db, accountId, limit);
}
