import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readOrCreateSecret } from '../../src/secrets/stored-secret.ts';

describe('readOrCreateSecret', () => {
  let parent: string;
  let dataDir: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'pixelgate-secrets-'));
    dataDir = path.join(parent, 'not', 'there', 'yet');
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('makes a secret that only its owner may read, and finds it again', async () => {
    const secret = await readOrCreateSecret(dataDir, 'some-secret');
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await stat(path.join(dataDir, 'some-secret'))).mode & 0o777).toBe(0o600);
    expect(await readOrCreateSecret(dataDir, 'some-secret')).toBe(secret);
    expect(await readOrCreateSecret(dataDir, 'another-secret')).not.toBe(secret);
  });

  it('gives one secret to all who ask at the same moment, and leaves no draft behind', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => readOrCreateSecret(dataDir, 'some-secret')));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['some-secret']);
  });

  it('refuses a secret that was damaged', async () => {
    await readOrCreateSecret(dataDir, 'some-secret');
    await writeFile(path.join(dataDir, 'some-secret'), 'short\n');
    await expect(readOrCreateSecret(dataDir, 'some-secret')).rejects.toThrow('is damaged');
  });
});
