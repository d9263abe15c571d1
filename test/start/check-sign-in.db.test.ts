import { afterAll, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config.ts';
import { checkSignIn } from '../../src/service.ts';
import { createTestDatabase } from '../support/database.ts';
import { worldOn } from '../support/world.ts';

const database = await createTestDatabase();
afterAll(async () => database.drop());

it('refuses to start without passwords, unless there is another way to sign in', async () => {
  const { ctx } = worldOn(database.db);
  const check = async (environment: Record<string, string>) =>
    checkSignIn({ ...ctx, config: { ...ctx.config, ...readConfig(environment), jwtSecret: ctx.config.jwtSecret } });
  await expect(check({ PASSWORD_SIGN_IN: 'false' })).rejects.toThrow(/no other way to sign in/);
  await check({});
  await check({ PASSWORD_SIGN_IN: 'false', GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' });
  const issuer = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  await check({ PASSWORD_SIGN_IN: 'false', ...issuer });
});
