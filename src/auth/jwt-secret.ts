import type { Config } from '../config.ts';
import { readOrCreateSecret } from '../secrets/stored-secret.ts';

/** The secret that signs session tokens: the configured one, else one that is generated once into the data directory. */
export async function resolveJwtSecret(config: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string> {
  return config.jwtSecret ?? readOrCreateSecret(config.dataDir, 'jwt-secret');
}

/** Composition has put the resolved secret in the config; that it is missing is a bug. */
export function requireJwtSecret(config: Pick<Config, 'jwtSecret'>): string {
  if (config.jwtSecret === null) throw new Error('The JWT secret was not resolved at composition');
  return config.jwtSecret;
}
