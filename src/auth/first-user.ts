import type { Context } from '../context.ts';
import { findFirstUserId } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** Whoever registered first runs the service: it was they who set it up. */
export async function isFirstUser({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return (await findFirstUserId(db)) === viewer.id;
}

/** False: the service is fresh, and nobody has an account yet. */
export async function hasUsers({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return (await findFirstUserId(db)) !== null;
}
