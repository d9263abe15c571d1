import { describe, expect, it } from '@jest/globals';
import { checkLinks } from '../../../src/github/checks/check-links.ts';
import { verifyObject } from '../../../src/storage/signed-address.ts';

const jwtSecret = 'a secret of thirty-two bytes, or more';
const run = { id: 'r1', testSuiteId: 's1', createdAt: new Date('2026-01-01T00:00:00Z') };
const on = (publicUrl: string, cdnBaseUrl: string | null = null) =>
  checkLinks({ publicUrl, cdnBaseUrl, jwtSecret }, run);

describe('the links of a check', () => {
  it('lead to the review page and into it', () => {
    const links = on('https://gate.example.com');
    expect(links.run).toBe('https://gate.example.com/runs/r1');
    expect(links.resultUrl('x')).toBe('https://gate.example.com/runs/r1/results/x');
  });

  it('show images by an address that is signed for a month, and that is always the same', () => {
    const address = on('https://gate.example.com').imageUrl('suites/s/a.png');
    expect(address).toBe(on('https://gate.example.com').imageUrl('suites/s/a.png'));
    const { origin, pathname, searchParams } = new URL(address ?? '');
    expect(origin + pathname).toBe('https://gate.example.com/files/suites/s/a.png');
    const expires = Number(searchParams.get('expires'));
    const signature = searchParams.get('signature') ?? '';
    const start = run.createdAt.getTime() / 1000;
    expect(verifyObject(jwtSecret, 'suites/s/a.png', expires, signature, start + 29 * 86_400)).toBe(true);
    expect(verifyObject(jwtSecret, 'suites/s/a.png', expires, signature, start + 31 * 86_400)).toBe(false);
  });

  it('show images on the CDN unsigned', () => {
    expect(on('http://localhost:3000', 'https://cdn.example.com').imageUrl('a.png')).toBe(
      'https://cdn.example.com/a.png',
    );
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:80', 'http://gate.localhost', 'http://0.0.0.0'])(
    'show no image that lies on %s',
    (publicUrl) => {
      expect(on(publicUrl).imageUrl('a.png')).toBeNull();
    },
  );
});
