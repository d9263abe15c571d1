import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const ENTRY = new URL('../../dist/demo/main.js', import.meta.url).pathname;

const demo = (...words: string[]) => spawnSync(process.execPath, [ENTRY, ...words], { encoding: 'utf8' });

describe('npm run demo', () => {
  it('explains itself', () => {
    const { status, stdout } = demo('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: npm run demo -- [--once] [https://site]');
  });

  it('refuses what it does not know, and starts nothing', () => {
    const { status, stdout, stderr } = demo('--twice');
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Unknown option: --twice\n\nUsage:/);
  });
});
