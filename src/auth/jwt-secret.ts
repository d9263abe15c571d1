import type { Config } from '../config.ts';
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
