import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const ENTRY = new URL('../../demo/main.js', import.meta.url).pathname;
const SERVICE = new URL('../../demo/service.js', import.meta.url).href;

const demo = (...words: string[]) => spawnSync(process.execPath, [ENTRY, ...words], { encoding: 'utf8' });

describe('npm run demo', () => {
  it('explains itself', () => {
    const { status, stdout } = demo('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: npm run demo -- [--once] [https://site]');
  });

  it('starts its service without a warning, except about a browser of root', () => {
    const script = `const { startService } = await import('${SERVICE}'); await (await startService(new AbortController().signal)).stop();`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const said = (stdout + stderr).split('\n').filter((line) => !line.includes('Chromium runs without its sandbox'));
    expect(said).toEqual(['']);
    expect(status).toBe(0);
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
