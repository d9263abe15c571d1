import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../errors.ts';
import { setName } from './user-store.ts';
import { NAME_RULE, isNameAllowed, normalizeName } from './user.ts';
import type { User } from './user.ts';
import type { Viewer } from './viewer.ts';

/**
 * Trims the name. Null, or only blanks, removes it.
 * @throws AppError `validation_failed` (400) with an issue at `name`; unauthenticated when the account is gone.
 */
export async function changeName({ db }: Pick<Context, 'db'>, viewer: Viewer, name: string | null): Promise<User> {
  const normalized = normalizeName(name);
  if (normalized !== null && !isNameAllowed(normalized)) {
    throw invalid('The name could not be changed', [{ path: 'name', message: NAME_RULE }]);
  }
  const user = await setName(db, viewer.id, normalized);
  if (user === null) throw unauthenticated();
  return user;
}
