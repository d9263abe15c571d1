import type { Context } from '../context.ts';
import { findCredentialsById } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** False: the account can sign in only through another service. */
export async function hasPassword({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return ((await findCredentialsById(db, viewer.id))?.passwordHash ?? null) !== null;
}
