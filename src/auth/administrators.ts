import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { forbidden } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { findAdministrator, lockAdministrators, writeAdministrator } from './managed-account-store.ts';
import { toActor } from './to-actor.ts';
import { displayName, type User } from './user.ts';
import type { Viewer } from './viewer.ts';

/** The people who run the installation (docs/rules.md, Who may do what). Never a suite's token. */
export async function isAdministrator({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return viewer.within === undefined && (await findAdministrator(db, viewer.id)) !== null;
}

export const notAdministrator = () =>
  forbidden('Only administrators of this installation can do this', 'not_administrator');

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
