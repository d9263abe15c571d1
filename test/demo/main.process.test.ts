import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const ENTRY = new URL('../../demo/main.js', import.meta.url).pathname;

const demo = (...words: string[]) => spawnSync(process.execPath, [ENTRY, ...words], { encoding: 'utf8' });

describe('npm run demo', () => {
  it('explains itself', () => {
    const { status, stdout } = demo('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: npm run demo -- [--once] [https://site]');
  });

  it.each([['--twice'], ['ftp://site.example'], ['https://a.example', 'https://b.example']])(
    'refuses what it does not know, and starts nothing: %s',
    (...words) => {
      const { status, stdout, stderr } = demo(...words);
      expect(status).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('Usage:');
    },
  );
});
