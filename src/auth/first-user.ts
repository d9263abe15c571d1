import type { Context } from '../context.ts';
import { findFirstUserId } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** The first registered user runs the service, because that person set it up. */
export async function isFirstUser({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<boolean> {
  return (await findFirstUserId(db)) === viewer.id;
}

/** False: the service is new, and nobody has an account yet. */
export async function hasUsers({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return (await findFirstUserId(db)) !== null;
}
