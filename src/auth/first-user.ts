import type { Context } from '../context.ts';
import { findFirstUserId } from './user-store.ts';

/** False: the service is new, and nobody has an account yet. */
export async function hasUsers({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return (await findFirstUserId(db)) !== null;
}
