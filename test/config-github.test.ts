import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';

const keyOf = (type: 'pkcs1' | 'pkcs8') =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type, format: 'pem' }).toString().trim();

const directory = mkdtempSync(path.join(tmpdir(), 'pixelgate-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const problem = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};

describe("the App's private key", () => {
  it.each(['pkcs1', 'pkcs8'] as const)('is taken as a PEM (%s), on one line, in base64, or from a file', (type) => {
    const pem = keyOf(type);
    const file = path.join(directory, type);
    writeFileSync(file, `${pem}\n`);
    const keyFrom = (env: Record<string, string>) => readConfig({ APP_ID: '1', ...env }).github.privateKey;
    expect(keyFrom({ PRIVATE_KEY: pem })).toBe(pem);
    expect(keyFrom({ PRIVATE_KEY: pem.replaceAll('\n', '\\n') })).toBe(pem);
    expect(keyFrom({ PRIVATE_KEY: Buffer.from(pem).toString('base64') })).toBe(pem);
    expect(keyFrom({ PRIVATE_KEY_PATH: file })).toBe(pem);
  });

  it('is asked for by name when it is missing, unreadable or no key, and never printed', () => {
    expect(problem({ APP_ID: '1' })).toContain('PRIVATE_KEY: this or PRIVATE_KEY_PATH is required when APP_ID is set');
    expect(problem({ PRIVATE_KEY_PATH: path.join(directory, 'absent') })).toMatch(
      /PRIVATE_KEY_PATH: cannot be read: .*ENOENT/,
    );
    expect(problem({ PRIVATE_KEY: 'secret words' })).toMatch(
      /PRIVATE_KEY: is neither a PEM key nor a base64-encoded PEM key$/,
    );
    const damaged = '-----BEGIN RSA PRIVATE KEY-----\nsecret\n-----END RSA PRIVATE KEY-----';
    expect(problem({ PRIVATE_KEY: damaged })).toContain('has no readable private key');
    expect(problem({ PRIVATE_KEY: damaged })).not.toContain('secret\n');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ec = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(problem({ PRIVATE_KEY: ec })).toContain('must be an RSA key, not ec');
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), APP_ID: '1' };

  it('an App needs a webhook secret of its own', () => {
    const app = { ...production, PRIVATE_KEY: keyOf('pkcs1') };
    expect(problem(app)).toContain('WEBHOOK_SECRET: is required in production when APP_ID is set');
    expect(problem({ ...app, WEBHOOK_SECRET: 'development' })).toContain('WEBHOOK_SECRET: must be your own secret');
    expect(problem({ ...app, WEBHOOK_SECRET: 'our own' })).toBe('');
  });

  it('every bad variable is named at once', () => {
    const message = problem({ ...production, JWT_SECRET: 'short', PORT: 'x', GHE_HOST: 'https://host/' });
    for (const name of ['JWT_SECRET', 'PORT', 'GHE_HOST']) expect(message).toContain(`${name}: `);
    expect(problem(production)).toMatch(/WEBHOOK_SECRET: .*\n.*PRIVATE_KEY: /);
  });
});
