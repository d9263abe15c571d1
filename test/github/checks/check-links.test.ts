import { describe, expect, it } from '@jest/globals';
import { checkLinks } from '../../../src/github/checks/check-links.ts';
import { verifyObject } from '../../../src/storage/signed-address.ts';

const jwtSecret = 'a secret of thirty-two bytes, or more';
const createdAt = new Date('2026-01-01T00:00:00Z');
const run = { id: 'r1', testSuiteId: 's1', createdAt, endedAt: new Date('2026-01-02T03:04:05Z') };
const image = `suites/0b0e8a3c-5c0f-4a55-9d6e-0d6f1f2b3c4d/${'a'.repeat(64)}`;
const crop = { changeId: 'c1', file: `${image}.png`, box: { x: -8, y: 20, width: 100, height: 40 } };
const linksOn = (withImages: boolean) =>
  checkLinks({ publicUrl: 'https://gate.example.com', jwtSecret }, run, withImages);

describe('the links of a check', () => {
  it('lead to the review page and into it', () => {
    const links = linksOn(false);
    expect(links.run).toBe('https://gate.example.com/runs/r1');
    expect(links.resultUrl('x')).toBe('https://gate.example.com/runs/r1/results/x');
    expect(links.doctor).toBe('https://gate.example.com/suites/s1/repository?look=doctor');
  });

  it('show a crop by an address that is signed for 90 days from the end of the run, and that is always the same', () => {
    const address = linksOn(true).cropUrl(crop);
    expect(address).toBe(linksOn(true).cropUrl(crop));
    const { origin, pathname, searchParams } = new URL(address ?? '');
    expect(origin + pathname).toBe(`https://gate.example.com/files/${image}.k-8-20-100-40.webp`);
    const expires = Number(searchParams.get('expires'));
    const signature = searchParams.get('signature') ?? '';
    const days = (count: number) => run.endedAt.getTime() / 1000 + count * 86_400;
    const name = pathname.slice('/files/'.length);
    expect(verifyObject([jwtSecret], { name, expires, signature }, days(90))).toBe(true);
    expect(verifyObject([jwtSecret], { name, expires, signature }, days(91))).toBe(false);
  });

  it('show no image where GitHub cannot fetch it', () => {
    expect(linksOn(false).cropUrl(crop)).toBeNull();
  });
});
