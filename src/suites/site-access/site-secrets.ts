import { openValue, resealRows, sealValue } from '../../auth/jwt-secret.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { SiteSecrets, type StoredAccess } from './site-access.ts';

/** Secrets that are sealed for one suite can't be opened in the row of another. */
const purpose = (suiteId: string) => `site-access ${suiteId}`;

export function sealSecrets(config: Pick<Config, 'jwtSecret'>, suiteId: string, secrets: SiteSecrets): string {
  return sealValue(config, purpose(suiteId), secrets);
}

/** Null: sealed with another `JWT_SECRET`. */
export function openSecrets(
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  { testSuiteId, sealed }: Pick<StoredAccess, 'testSuiteId' | 'sealed'>,
): SiteSecrets | null {
  return openValue(config, purpose(testSuiteId), SiteSecrets, sealed);
}

/** Encrypts the access to sites with the newest secret. Returns how many changed. */
export const resealSiteAccess = async (ctx: Pick<Context, 'config' | 'db'>): Promise<number> =>
  resealRows(ctx, { table: 'site_access', id: 'test_suite_id', purpose });
