import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { findAdministrator, lockAdministrators, writeAdministrator } from './administrator-store.ts';
import type { Viewer } from './viewer.ts';

/** Who runs the installation (docs/rules.md, Who may do what). Never a suite's token. */
export async function isAdministrator({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return viewer.within === undefined && (await findAdministrator(db, viewer.id)) !== null;
}

/**
 * What a group of the identity provider gives. Who was named stays one, and so does the last one.
 * @param trx a transaction
 */
export async function setGroupAdministrator(trx: Db, userId: string, isMember: boolean): Promise<void> {
  const held = await findAdministrator(trx, userId);
  if (held === 'NAMED' || (held === 'GROUP') === isMember) return;
  const others = (await lockAdministrators(trx)).filter((id) => id !== userId);
  if (isMember || others.length > 0) await writeAdministrator(trx, userId, isMember ? 'GROUP' : null);
}
