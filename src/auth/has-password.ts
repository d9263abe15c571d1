import type { Context } from '../context.ts';
import { findCredentialsById } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** False: the account signs in by another service only. */
export async function hasPassword({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return ((await findCredentialsById(db, viewer.id))?.passwordHash ?? null) !== null;
}
