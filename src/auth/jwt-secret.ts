import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { readRows } from '../db/database.ts';
import { countChanged } from '../secrets/count-changed.ts';
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
