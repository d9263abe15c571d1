import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { cutList, type Listed, type TimePlace } from '../db/list-part.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueue } from '../queue/enqueue.ts';
import { requirePasswordSignIn } from './passwords/password.ts';
import {
  countAccounts,
  findAdministrator,
  findManagedAccount,
  listAccountRows,
  lockAdministrators,
  raiseSessionVersion,
  writeAdministrator,
  writeDisabled,
  type PartOfAccounts,
} from './user-store.ts';
import { displayName, emailKey, toActor, type ManagedAccount, type User, type Viewer } from './user.ts';

type ManageContext = Pick<Context, 'db' | 'clock' | 'log'>;

/** As events name it. */
const namedAccount = ({ id, name, email }: Pick<ManagedAccount, 'id' | 'name' | 'email'>) => ({
  id,
  name: displayName({ name, email }),
});

/** @throws AppError forbidden `not_administrator` */
export async function listAccounts(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  part: PartOfAccounts,
): Promise<Listed<ManagedAccount, TimePlace> & { total: number }> {
  await requireAdministrator(ctx, viewer);
  const [found, total] = await Promise.all([
    listAccountRows(ctx.db, { ...part, limit: part.limit + 1 }),
    countAccounts(ctx.db, part.search),
  ]);
  const { items, next } = cutList(found, part.limit, ({ place }) => place);
  return { items: items.map(({ place: _place, ...account }) => account), next, total };
}

/** @throws AppError not_found, forbidden `not_administrator` */
export async function readManagedAccount(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
): Promise<ManagedAccount> {
  await requireAdministrator(ctx, viewer);
  return findOrRefuse(ctx.db, id);
}

async function findOrRefuse(db: Db, id: string): Promise<ManagedAccount> {
  const account = await findManagedAccount(db, id);
  if (account === null) throw notFound('Account');
  return account;
}

type AccountChange = { disabled?: boolean | undefined; administrator?: boolean | undefined };

/**
 * Disables or enables an account, and makes it an administrator or not (docs/rules.md, Who may do what). A disabled
 * account can't sign in, and its sessions and tokens stop at once. An administrator by group, if named, is one by name;
 * if removed, the next sign-in may make it one again.
 * @throws AppError not_found, forbidden `not_administrator`, conflict `last_administrator`
 */
export async function changeManagedAccount(
  { db, clock, log }: ManageContext,
  viewer: Viewer,
  id: string,
  change: AccountChange,
): Promise<ManagedAccount> {
  const changed = await inTransaction(db, async (trx) => {
    // Locked, so that of two administrators who remove each other at the same moment one stays.
    const administrators = await lockAdministrators(trx);
    if (!administrators.includes(viewer.id)) throw notAdministrator();
    const account = await findOrRefuse(trx, id);
    const leaves = change.disabled === true || change.administrator === false;
    if (leaves && administrators.length === 1 && administrators[0] === id) {
      throw conflict('This is the last administrator. Make somebody else one first.', 'last_administrator');
    }
    await applyChange(trx, viewer, account, change, clock.now());
    return findOrRefuse(trx, id);
  });
  log.info({ userId: viewer.id, accountId: id, ...change }, 'changed an account');
  return changed;
}

async function applyChange(
  trx: Db,
  viewer: Viewer,
  account: ManagedAccount,
  { disabled, administrator }: AccountChange,
  now: Date,
): Promise<void> {
  const actor = toActor(viewer);
  const named = namedAccount(account);
  if (disabled !== undefined && (await writeDisabled(trx, account.id, disabled ? now : null))) {
    const kind = disabled ? 'account.disabled' : 'account.enabled';
    await recordEvent(trx, actor, { kind, details: { account: named } });
  }
  const by = administrator === true ? 'NAMED' : null;
  if (administrator === undefined || account.administrator === by) return;
  await writeAdministrator(trx, account.id, by);
  const kind = administrator ? 'account.administrator_named' : 'account.administrator_removed';
  await recordEvent(trx, actor, { kind, details: { account: named, by: 'NAMED' } });
}

/**
 * Ends every session of the account, its own API tokens and its open sign-in links.
 * @throws AppError not_found, forbidden `not_administrator`
 */
export async function signOutAccount(ctx: ManageContext, viewer: Viewer, id: string): Promise<void> {
  const account = await readManagedAccount(ctx, viewer, id);
  await inTransaction(ctx.db, async (trx) => {
    await raiseSessionVersion(trx, id);
    await recordEvent(trx, toActor(viewer), {
      kind: 'account.signed_out',
      details: { account: namedAccount(account) },
    });
  });
}

/**
 * Mails the account a link to choose a new password.
 * @throws AppError not_found, forbidden `not_administrator`, `password_sign_in_off`, conflict `mail_not_configured`
 */
export async function sendPasswordReset(
  ctx: Pick<Context, 'config' | 'db' | 'mailer'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const account = await readManagedAccount(ctx, viewer, id);
  requirePasswordSignIn(ctx);
  if (!ctx.mailer.configured && ctx.config.production) {
    throw conflict('No mail server is configured (SMTP_URL), so no link can be sent', 'mail_not_configured');
  }
  await inTransaction(ctx.db, async (trx) => {
    await enqueue(trx, 'send-reset-link', { email: emailKey(account.email) });
    await recordEvent(trx, toActor(viewer), {
      kind: 'account.reset_sent',
      details: { account: namedAccount(account) },
    });
  });
}

/** The people who run the installation (docs/rules.md, Who may do what). Never a suite's token. */
export async function isAdministrator({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return viewer.within === undefined && (await findAdministrator(db, viewer.id)) !== null;
}

const notAdministrator = () => forbidden('Only administrators of this installation can do this', 'not_administrator');

/** @throws AppError forbidden `not_administrator` */
export async function requireAdministrator(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<void> {
  if (!(await isAdministrator(ctx, viewer))) throw notAdministrator();
}

/**
 * Applies what a group of the identity provider gives. Administrators named by hand stay, and so does the last one.
 * @param trx a transaction
 */
export async function setGroupAdministrator(trx: Db, user: User, isMember: boolean): Promise<void> {
  const held = await findAdministrator(trx, user.id);
  if (held === 'NAMED' || (held === 'GROUP') === isMember) return;
  const others = (await lockAdministrators(trx)).filter((id) => id !== user.id);
  if (!isMember && others.length === 0) return;
  await writeAdministrator(trx, user.id, isMember ? 'GROUP' : null);
  const kind = isMember ? 'account.administrator_named' : 'account.administrator_removed';
  const account = { id: user.id, name: displayName(user) };
  await recordEvent(trx, toActor(user), { kind, details: { account, by: 'GROUP' } });
}
