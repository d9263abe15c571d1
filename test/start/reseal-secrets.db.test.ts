import { afterAll, describe, expect, it } from '@jest/globals';
import { listLinkedAccounts } from '../../src/auth/change-account.ts';
import { signInWithAccount } from '../../src/auth/sign-in-with-account.ts';
import type { Config } from '../../src/config.ts';
import { findApp, insertApp } from '../../src/github/app/app-store.ts';
import { openSecrets as openApp, sealSecrets } from '../../src/github/app/credentials.ts';
import { resealSecrets } from '../../src/service.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { replaceSiteAccess } from '../../src/suites/site-access/change-site-access.ts';
import { findSiteAccess } from '../../src/suites/site-access/site-access-store.ts';
import { SITE_SECRETS } from '../../src/suites/site-access/site-access.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';

const OLD = 'the secret of before, long enough for it';
const NEW = 'the secret of from now on, long enough too';
const TOKENS = { accessToken: 'ghu_1', refreshToken: 'ghr_1', tokenType: null, scope: null, expiresAt: null };
const APP = { privateKey: 'pem', webhookSecret: 'hook', clientSecret: 'client' };
const HEADER = [{ name: 'X-Key', value: 'swordfish' }];

const database = await createTestDatabase();
afterAll(() => database.drop());

function contextWith(jwtSecret: string, previousJwtSecret: string | null = null) {
  const { ctx } = worldOn(database.db);
  const config: Config = { ...ctx.config, jwtSecret, previousJwtSecret };
  return { ...ctx, config };
}

/** Every value in the database that is stored encrypted. */
async function storeSecrets() {
  const ctx = contextWith(OLD);
  const viewer = await newViewer(worldOn(database.db));
  const suite = await newSuite(worldOn(database.db), viewer, []);
  await replaceSiteAccess(ctx, await getSuiteFor(ctx, viewer, suite.id, 'suite.access'), { headers: HEADER });
  const identity = {
    provider: 'github' as const,
    accountId: '7',
    login: 'ada',
    name: null,
    image: null,
    tokens: TOKENS,
  };
  await signInWithAccount(ctx, { ...identity, verifiedEmails: [], otherEmails: [], mayRegister: false }, viewer);
  const app = { appId: 1, slug: 'gate', name: 'Gate', htmlUrl: 'https://github.com/apps/gate', clientId: 'Iv1' };
  await insertApp(ctx.db, { ...app, encryptedSecrets: sealSecrets(ctx, APP) }, viewer.id);

  return async ({ config, db }: ReturnType<typeof contextWith>) => {
    const access = await findSiteAccess(db, suite.id);
    const stored = await findApp(db);
    return {
      site: access === null ? null : (SITE_SECRETS.open(config, access.testSuiteId, access.sealed)?.headers ?? null),
      tokens: (await listLinkedAccounts({ config, db }, viewer.id)).map(({ tokens }) => tokens),
      app: stored === null ? null : openApp({ config }, stored),
    };
  };
}

describe('changing JWT_SECRET', () => {
  it('keeps what is stored encrypted: the one before opens it, and then it is sealed anew', async () => {
    const read = await storeSecrets();
    const all = { site: HEADER, tokens: [TOKENS], app: APP };
    const none = { site: null, tokens: [], app: null };
    expect(await read(contextWith(NEW))).toEqual(none);
    expect(await read(contextWith(NEW, OLD))).toEqual(all);

    await resealSecrets(contextWith(NEW, 'another secret that opens none of it'));
    expect(await read(contextWith(OLD))).toEqual(all);
    await Promise.all([resealSecrets(contextWith(NEW, OLD)), resealSecrets(contextWith(NEW, OLD))]);
    expect(await read(contextWith(NEW))).toEqual(all);
    expect(await read(contextWith(OLD))).toEqual(none);
  });
});
