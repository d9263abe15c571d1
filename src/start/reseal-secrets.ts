import { resealAccounts } from '../auth/seal-tokens.ts';
import type { Context } from '../context.ts';
import { resealApp } from '../github/app/credentials.ts';
import { TARGET_SECRETS } from '../notices/target.ts';
import { SITE_SECRETS } from '../suites/site-access/site-access.ts';

/**
 * Encrypts stored secrets with `JWT_SECRET` that only `PREVIOUS_JWT_SECRET` opens. It may run on several hosts at once,
 * and again after an interruption.
 */
export async function resealSecrets(ctx: Pick<Context, 'config' | 'db' | 'log'>): Promise<void> {
  if (ctx.config.previousJwtSecret === null) return;
  const accounts = await resealAccounts(ctx);
  const sites = await SITE_SECRETS.reseal(ctx);
  const targets = await TARGET_SECRETS.reseal(ctx);
  const apps = await resealApp(ctx);
  ctx.log.info(
    { accounts, sites, targets, apps },
    'stored secrets are encrypted with JWT_SECRET: PREVIOUS_JWT_SECRET can go',
  );
}
