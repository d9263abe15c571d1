import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, notFound, unauthenticated } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteLink, findLinks } from './account-store.ts';
import type { AccountLink } from './account.ts';
import { toActor } from './to-actor.ts';
import { lockCredentials } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** The accounts of other services with which the viewer can sign in, oldest first. */
export async function readLinks({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<AccountLink[]> {
  return findLinks(db, viewer.id);
}

/**
 * Removes a link. The viewer must be able to sign in without it.
 * @throws AppError not_found; conflict `only_sign_in` when it is the only way in.
 */
export async function unlinkAccount(
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Locked, so that if two links are removed at the same moment, one is kept.
    const credentials = await lockCredentials(trx, viewer.id);
    if (credentials === null) throw unauthenticated();
    const links = await findLinks(trx, viewer.id);
    const link = links.find((each) => each.id === id);
    if (link === undefined) throw notFound('Linked account');
    if (links.length === 1 && (credentials.passwordHash === null || !config.passwordSignIn)) {
      const mend = config.passwordSignIn ? 'Set a password first.' : 'Link another account first.';
      throw conflict(`This is your only way to sign in. ${mend}`, 'only_sign_in');
    }
    await deleteLink(trx, viewer.id, id);
    const details = { provider: link.provider, login: link.login };
    await recordEvent(trx, toActor(viewer), { kind: 'account.unlinked', details });
  });
  log.info({ userId: viewer.id, accountId: id }, 'unlinked an account');
}
