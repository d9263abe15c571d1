import { openingSecrets } from '../../auth/jwt-secret.ts';
import type { Config } from '../../config.ts';
import { unseal } from '../../secrets/seal.ts';
import { SiteSecrets, type StoredAccess } from './site-access.ts';

/** Secrets that are sealed for one suite can't be opened in the row of another. */
export function sealPurpose(suiteId: string): string {
  return `site-access ${suiteId}`;
}

/** Null: sealed with another `JWT_SECRET`. */
export function openSecrets(
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  { testSuiteId, sealed }: Pick<StoredAccess, 'testSuiteId' | 'sealed'>,
): SiteSecrets | null {
  const text = unseal(openingSecrets(config), sealPurpose(testSuiteId), sealed);
  return text === null ? null : SiteSecrets.parse(JSON.parse(text));
}
