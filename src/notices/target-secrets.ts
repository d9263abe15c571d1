import { randomBytes } from 'node:crypto';
import { openValue, resealRows, sealValue } from '../auth/jwt-secret.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { TargetSecrets } from './target.ts';

const purpose = (targetId: string) => `target ${targetId}`;

/** As Standard Webhooks writes a symmetric secret. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function sealTarget(config: Pick<Config, 'jwtSecret'>, targetId: string, secrets: TargetSecrets): string {
  return sealValue(config, purpose(targetId), secrets);
}

/** Null: sealed with another `JWT_SECRET`. */
export function openTarget(
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  targetId: string,
  sealed: string,
): TargetSecrets | null {
  return openValue(config, purpose(targetId), TargetSecrets, sealed);
}

/** Encrypts the secrets of targets with the newest secret. Returns how many changed. */
export const resealTargets = async (ctx: Pick<Context, 'config' | 'db'>): Promise<number> =>
  resealRows(ctx, { table: 'targets', id: 'id', purpose });
