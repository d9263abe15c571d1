import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '../src/config.ts';

const SECRET = 'x'.repeat(32);
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** The names of the variables in the error message for `env`. */
function refused(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...lines] = error.message.split('\n');
    return lines.map((line) => line.trim().split(':')[0] ?? '').sort();
  }
  return [];
}

describe('readConfig', () => {
  it('needs nothing to be set on a laptop', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      s3: null,
      jwtSecret: null,
      role: 'all',
      allowPrivateTargets: true,
    });
  });

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', JWT_SECRET: '' })).toEqual(readConfig({}));
  });

  it('names every bad variable at once, those that are missing too', () => {
    const env = { NODE_ENV: 'production', PORT: '99999', ROLE: 'web', LOG_LEVEL: 'loud', APP_ID: '1' };
    expect(refused(env)).toEqual(['DATABASE_URL', 'JWT_SECRET', 'LOG_LEVEL', 'PORT', 'PRIVATE_KEY', 'WEBHOOK_SECRET']);
  });

  it('says in words what a number may be', () => {
    expect(() => readConfig({ PORT: '99999' })).toThrow('PORT: must be at most 65535');
    expect(() => readConfig({ WORKER_THREADS: '0' })).toThrow('WORKER_THREADS: must be at least 1');
  });

  it.each([
    [{ PORT: '30o0' }, 'PORT'],
    [{ PUBLIC_URL: 'pixelgate.example.com' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://pixelgate.example.com/#/' }, 'PUBLIC_URL'],
    [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://pixelgate:ab/cd@localhost/x' }, 'DATABASE_URL'],
    [
      { DATABASE_URL: 'postgresql://localhost/x', DATABASE_DIRECT_URL: 'postgresql://me:a#b@localhost/x' },
      'DATABASE_DIRECT_URL',
    ],
    [{ DATABASE_DIRECT_URL: 'postgres://localhost/x' }, 'DATABASE_URL'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET'],
    [{ SESSION_TTL: '7 days' }, 'SESSION_TTL'],
    [{ SESSION_TTL: '999999999d' }, 'SESSION_TTL'],
    [{ PREVIEW_TIMEOUT: '999999999d' }, 'PREVIEW_TIMEOUT'],
    [{ ALLOW_REGISTRATION: 'no' }, 'ALLOW_REGISTRATION'],
    [{ PASSWORD_SIGN_IN: 'no' }, 'PASSWORD_SIGN_IN'],
    [{ OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }, 'OIDC_ISSUER'],
    [{ OIDC_SCOPES: 'email' }, 'OIDC_SCOPES'],
    [{ OIDC_ALLOWED_DOMAINS: '@example.com' }, 'OIDC_ALLOWED_DOMAINS'],
    [{ OIDC_GROUP_ROLES: 'staff' }, 'OIDC_GROUP_ROLES'],
    [{ OIDC_GROUP_ROLES: 'staff=editor' }, 'OIDC_GROUP_ROLES'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL'],
    [{ MAIL_FROM: 'Pixelgate' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'noreply@' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'smtp://me:ab/cd@mail.example.com' }, 'SMTP_URL'],
    [{ ROLE: 'worker' }, 'DATABASE_URL'],
    [{ ROLE: 'both' }, 'ROLE'],
    [{ WORKER_THREADS: '0' }, 'WORKER_THREADS'],
    [{ BROWSER_WS_ENDPOINT: 'browser:9222' }, 'BROWSER_WS_ENDPOINT'],
    [{ BROWSER_WS_ENDPOINT: 'ws://browser:port' }, 'BROWSER_WS_ENDPOINT'],
    [{ CDN_BASE_URL: 'cdn' }, 'CDN_BASE_URL'],
    [{ CDN_BASE_URL: 'https://cdn.example/?key=1' }, 'CDN_BASE_URL'],
    [{ CHECK_IMAGES: 'yes' }, 'CHECK_IMAGES'],
    [{ TRUSTED_PROXIES: 'proxy.example' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '10.0.0.1,' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES'],
  ])('refuses %j', (env, name) => {
    expect(refused(env)).toEqual([name]);
  });

  it.each([
    'postgresql://me:ab%2Fcd@db.example.com:5432/pixelgate?sslmode=require',
    'postgres://me:a%b@localhost/x',
    'postgresql:///x?host=/run/postgresql',
    'postgresql://me:secret@/x?host=/run/postgresql',
    'postgresql://me@%2Frun%2Fpostgresql/x',
  ])('takes the database %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('wants secrets in production, and refuses private addresses there unless they are allowed', () => {
    expect(refused({ NODE_ENV: 'production' })).toEqual(['JWT_SECRET']);
    expect(refused({ NODE_ENV: 'production', JWT_SECRET: 'short' })).toEqual(['JWT_SECRET']);
    const app = { APP_ID: '1', PRIVATE_KEY: KEY };
    expect(refused({ NODE_ENV: 'production', JWT_SECRET: SECRET, ...app })).toEqual(['WEBHOOK_SECRET']);
    const right = { NODE_ENV: 'production', JWT_SECRET: SECRET, ...app, WEBHOOK_SECRET: 'w' };
    expect(readConfig(right)).toMatchObject({ production: true, allowPrivateTargets: false });
    expect(readConfig({ ...right, ALLOW_PRIVATE_TARGETS: 'true' })).toMatchObject({ allowPrivateTargets: true });
  });

  it('counts durations in milliseconds, and drops the slash at the end of an address', () => {
    const env = {
      SESSION_TTL: '2h',
      PREVIEW_TIMEOUT: '90s',
      PUBLIC_URL: 'https://a.example/',
      CDN_BASE_URL: 'https://c.example/x/',
    };
    expect(readConfig(env)).toMatchObject({
      sessionTtl: 7_200_000,
      previewTimeout: 90_000,
      publicUrl: 'https://a.example',
      cdnBaseUrl: 'https://c.example/x',
    });
  });
});
