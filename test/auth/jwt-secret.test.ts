import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveJwtSecret } from '../../src/auth/jwt-secret.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-secret-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the secret that signs tokens', () => {
  it('is the configured one', async () => {
    expect(await resolveJwtSecret({ jwtSecret: 'configured', dataDir })).toBe('configured');
  });

  it('is else generated once, 32 bytes at least, and found again', async () => {
    const secret = await resolveJwtSecret({ jwtSecret: null, dataDir });
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(await resolveJwtSecret({ jwtSecret: null, dataDir })).toBe(secret);
  });
});
