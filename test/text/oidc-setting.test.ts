import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config.ts';

const ISSUER = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'gate', OIDC_CLIENT_SECRET: 'secret' };
const SUITE = '9b2e5c1e-3f0a-4d67-9c5b-0f6c1f2a7d11';

describe('the settings of OpenID Connect', () => {
  it('read what groups give, in the case of their names', () => {
    const { oidc } = readConfig({ ...ISSUER, OIDC_GROUP_ROLES: `/Team=A=administrator, qa=Editor@${SUITE}` });
    expect(oidc?.groupRoles).toEqual([
      { group: '/Team=A', role: 'ADMINISTRATOR', suiteId: null },
      { group: 'qa', role: 'EDITOR', suiteId: SUITE },
    ]);
  });

  it('refuse an issuer in production that is reached without TLS, except on this machine', () => {
    const production = { ...ISSUER, NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) };
    expect(() => readConfig({ ...production, OIDC_ISSUER: 'http://id.example.com' })).toThrow(/OIDC_ISSUER/);
    expect(readConfig({ ...production, OIDC_ISSUER: 'http://localhost:9000' }).oidc).not.toBeNull();
    expect(readConfig({}).oidc).toBeNull();
  });
});
