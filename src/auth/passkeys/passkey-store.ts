import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import type { Passkey } from './passkey.ts';

const COLUMNS = ['id', 'name', 'created_at', 'last_used_at'] as const;

export type PasskeyDraft = {
  userId: string;
  credentialId: string;
  /** COSE, in base64url. */
  publicKey: string;
  signatures: number;
  transports: string[];
  name: string;
  createdAt: Date;
};

/** False: it is known already. */
export async function insertPasskey(db: Db, draft: PasskeyDraft): Promise<boolean> {
  const rows = await db('passkeys').insert(toColumns(draft)).onConflict(['credential_id']).ignore().returning('id');
  return rows.length === 1;
}

/** Oldest first. */
export async function findPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db('passkeys').where({ user_id: userId }).orderBy(['created_at', 'id']).select(COLUMNS);
}

/** Their ids, so that no authenticator gets a second one. */
export async function findCredentialIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db('passkeys').where({ user_id: userId }).orderBy('created_at').select('credential_id');
  return rows.map(({ credentialId }) => credentialId);
}

/** Locks it to the end of the transaction, so that one answer signs in once. */
export async function lockPasskey(trx: Db, credentialId: string) {
  return trx('passkeys')
    .where({ credential_id: credentialId })
    .forUpdate()
    .first('id', 'user_id', 'public_key', 'signatures', 'challenged_at');
}

export async function notePasskeyUse(
  db: Db,
  id: string,
  { signatures, challengedAt, usedAt }: { signatures: number; challengedAt: Date; usedAt: Date },
): Promise<void> {
  await db('passkeys').where({ id }).update({ signatures, challenged_at: challengedAt, last_used_at: usedAt });
}

/** Null: the person has no such passkey. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<{ name: string } | null> {
  const [row] = await db('passkeys').where({ id, user_id: userId }).delete().returning('name');
  return row ?? null;
}
