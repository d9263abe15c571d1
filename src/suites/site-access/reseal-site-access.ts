import { openingSecrets } from '../../auth/jwt-secret.ts';
import type { Context } from '../../context.ts';
import { reseal } from '../../secrets/seal.ts';
import { sealPurpose } from './open-secrets.ts';
import { findSealedAccess, replaceSealed } from './site-access-store.ts';

const PART = 500;

/** Encrypts the access to sites with the newest secret. Returns how many changed. */
export async function resealSiteAccess({ config, db }: Pick<Context, 'config' | 'db'>): Promise<number> {
  let changed = 0;
  let rows = await findSealedAccess(db, null, PART);
  while (rows.length > 0) {
    for (const { testSuiteId, sealed } of rows) {
      const again = reseal(openingSecrets(config), sealPurpose(testSuiteId), sealed);
      if (again !== null && (await replaceSealed(db, testSuiteId, sealed, again))) changed += 1;
    }
    rows = await findSealedAccess(db, rows.at(-1)?.testSuiteId ?? null, PART);
  }
  return changed;
}
