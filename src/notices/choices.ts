import { openingSecrets, requireJwtSecret } from '../auth/jwt-secret.ts';
import { findIdentity } from '../auth/user-store.ts';
import type { Viewer } from '../auth/user.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { seal, unseal } from '../secrets/seal.ts';
import type { SuiteFor } from '../suites/suite.ts';
import * as store from './choice-store.ts';
import { clearSuiteChoices, saveChoice } from './choice-store.ts';
import type { Choice, ChoiceChange, ChosenSuite, SuiteChoiceChange } from './choice.ts';
import { removeWaiting } from './digest-store.ts';

type Database = Pick<Context, 'db'>;

/** What the viewer hears by email of all suites that they follow. */
export async function readChoice({ db }: Database, viewer: Pick<Viewer, 'id'>): Promise<Choice> {
  return store.findChoice(db, viewer.id);
}

/** Events that already wait are checked again before they are sent. */
export async function changeChoice({ db }: Database, viewer: Viewer, change: ChoiceChange): Promise<void> {
  await store.saveChoice(db, viewer.id, change);
}

/** A choice makes the viewer follow the suite. */
export async function changeSuiteChoice({ db }: Database, suite: SuiteFor, change: SuiteChoiceChange): Promise<void> {
  await store.saveSuiteChoice(db, suite, change);
}

/** The suites that the viewer follows, by name. */
export async function listChosenSuites(
  { db }: Database,
  viewer: Viewer,
  part: { limit: number; offset: number },
): Promise<{ suites: ChosenSuite[]; total: number }> {
  return store.findChosenSuites(db, viewer.id, part);
}

const PURPOSE = 'unsubscribe';

/** Where a person unsubscribes without signing in. It stays valid for as long as `JWT_SECRET`. */
export const unsubscribeUrl = (config: Pick<Config, 'jwtSecret' | 'publicUrl'>, userId: string): string =>
  `${config.publicUrl}/unsubscribe/${seal(requireJwtSecret(config), PURPOSE, userId)}`;

/** Whom a link is for. Null: it is no longer valid. */
export async function findUnsubscriber(
  { config, db }: Pick<Context, 'config' | 'db'>,
  token: string,
): Promise<{ id: string; email: string } | null> {
  const id = unseal(openingSecrets(config), PURPOSE, token);
  return id === null ? null : ((await findIdentity(db, id))?.user ?? null);
}

/** From now on the person hears nothing of any suite. */
export async function unsubscribe({ db }: Pick<Context, 'db'>, { id }: { id: string }): Promise<void> {
  await inTransaction(db, async (trx) => {
    await saveChoice(trx, id, { hears: 'NOTHING' });
    await clearSuiteChoices(trx, id);
    await removeWaiting(trx, id, null);
  });
}
