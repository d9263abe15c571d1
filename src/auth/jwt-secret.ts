import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { countChanged } from '../async/batches.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { readRows } from '../db/database.ts';
import { reseal, seal, unseal } from '../secrets/seal.ts';
import { readOrCreateSecret } from '../secrets/stored-secret.ts';

/** The secret that signs session tokens. If none is configured, one is generated once into the data directory. */
export async function resolveJwtSecret(config: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string> {
  return config.jwtSecret ?? readOrCreateSecret(config.dataDir, 'jwt-secret');
}

/** The secrets that decrypt stored values: the current one, and the previous one while it is being changed. */
export function openingSecrets(config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>): string[] {
  const { previousJwtSecret } = config;
  return [requireJwtSecret(config), ...(previousJwtSecret === null ? [] : [previousJwtSecret])];
}

/** The composition puts the resolved secret in the config, so a missing secret is a bug. */
export function requireJwtSecret(config: Pick<Config, 'jwtSecret'>): string {
  if (config.jwtSecret === null) throw new Error('The JWT secret was not resolved at composition');
  return config.jwtSecret;
}

/** A value as text that only this service can read, and only for the purpose. */
export function sealValue(config: Pick<Config, 'jwtSecret'>, purpose: string, value: unknown): string {
  return seal(requireJwtSecret(config), purpose, JSON.stringify(value));
}

/** Null: it was sealed with another secret, for another purpose, or not by us. */
export function openValue<S extends z.ZodType>(
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  purpose: string,
  shape: S,
  sealed: string,
): z.output<S> | null {
  const text = unseal(openingSecrets(config), purpose, sealed);
  return text === null ? null : shape.parse(JSON.parse(text));
}

const SealedRow = z.object({ id: z.string(), sealed: z.string() });

/** Where sealed values are: their table, the column with the row's id, and what they are called. */
type SealedRows = { table: string; id: string; name: string };

type RowsContext = Pick<Context, 'config' | 'db'>;

/** The values in the column `sealed` of a table. What is sealed for one row can't be opened in another. */
export function rowSecrets<S extends z.ZodType>(rows: SealedRows, shape: S) {
  const purpose = (id: string) => `${rows.name} ${id}`;
  return {
    seal: (config: Pick<Config, 'jwtSecret'>, id: string, secrets: z.output<S>) =>
      sealValue(config, purpose(id), secrets),
    /** Null: sealed with another `JWT_SECRET`. */
    open: (config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>, id: string, sealed: string) =>
      openValue(config, purpose(id), shape, sealed),
    /** Encrypts them with the newest secret. Returns how many changed. */
    reseal: async (ctx: RowsContext) => resealRows(ctx, rows, purpose),
  };
}

/** Seals the column `sealed` again. Returns how many rows changed. */
async function resealRows({ config, db }: RowsContext, { table, id }: SealedRows, purpose: (id: string) => string) {
  const rows = `select ${id} as id, sealed from ${table}
    where ${id} > coalesce(:after, '00000000-0000-0000-0000-000000000000'::uuid) order by ${id} limit :limit`;
  return countChanged(
    (after, limit) => readRows(db, SealedRow, rows, { after, limit }),
    async ({ id: row, sealed }) => {
      const again = reseal(openingSecrets(config), purpose(row), sealed);
      if (again === null) return false;
      // A row that was changed in the meantime was sealed with the new secret already.
      const change = `update ${table} set sealed = :again where ${id} = :row and sealed = :sealed`;
      return (await db.raw(change, { again, row, sealed })).rowCount === 1;
    },
  );
}

const ALGORITHM = 'HS256';

/**
 * Caches the secret as a key object. Given a text, the library would first try it as a public key, which takes 0.7 ms.
 */
const keys = new Map<string, KeyObject>();

function toKey(secret: string): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(secret, 'utf8');
  keys.set(secret, key);
  return key;
}

export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** A JWT. @param audience distinguishes it from anything else that is signed with the same secret */
export function signClaims(secret: string, audience: string, claims: object): string {
  return jwt.sign({ ...claims, aud: audience }, toKey(secret), { algorithm: ALGORITHM });
}

/**
 * Null for anything but a token of this audience that this service signed and that is valid at `now`.
 * @param now null: the token has no end
 */
export function readClaims<S extends z.ZodType>(
  secret: string,
  { audience, shape, now }: { audience: string; shape: S; now: Date | null },
  token: string,
): z.output<S> | null {
  try {
    const at = now === null ? {} : { clockTimestamp: toSeconds(now) };
    const verified = jwt.verify(token, toKey(secret), { algorithms: [ALGORITHM], audience, ...at });
    return shape.safeParse(verified).data ?? null;
  } catch {
    // All errors are about the token. Besides the library's own classes, there is a SyntaxError for a payload that is
    // not JSON.
    return null;
  }
}
