import { randomBytes } from 'node:crypto';
import { openingSecrets, requireJwtSecret } from '../auth/jwt-secret.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { reseal, seal, unseal } from '../secrets/seal.ts';
import { findSealedTargets, replaceSealedTarget } from './target-store.ts';
import { TargetSecrets } from './target.ts';

const purpose = (targetId: string) => `target ${targetId}`;

/** As Standard Webhooks writes a symmetric secret. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function sealTarget(config: Pick<Config, 'jwtSecret'>, targetId: string, secrets: TargetSecrets): string {
  return seal(requireJwtSecret(config), purpose(targetId), JSON.stringify(secrets));
}

/** Null: sealed with another `JWT_SECRET`. */
export function openTarget(
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  targetId: string,
  sealed: string,
): TargetSecrets | null {
  const text = unseal(openingSecrets(config), purpose(targetId), sealed);
  return text === null ? null : TargetSecrets.parse(JSON.parse(text));
}

const PART = 500;

/** Encrypts the secrets of targets with the newest secret. Returns how many changed. */
export async function resealTargets({ config, db }: Pick<Context, 'config' | 'db'>): Promise<number> {
  let changed = 0;
  let rows = await findSealedTargets(db, null, PART);
  while (rows.length > 0) {
    for (const { id, sealed } of rows) {
      const again = reseal(openingSecrets(config), purpose(id), sealed);
      if (again !== null && (await replaceSealedTarget(db, id, sealed, again))) changed += 1;
    }
    rows = await findSealedTargets(db, rows.at(-1)?.id ?? null, PART);
  }
  return changed;
}
