import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSite } from '../../src/demo/site.ts';
import type { RunningSite } from '../../src/demo/site.ts';

describe('the server of the demonstration site', () => {
  let site: RunningSite;
  beforeAll(async () => {
    site = await startSite('before');
  });
  afterAll(() => site.stop());

  it('serves pages, whatever the query', async () => {
    const response = await fetch(`${site.origin}/journal?utm_source=footer`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<h1>Journal</h1>');
  });

  it('names itself in robots.txt and the sitemap', async () => {
    expect(await (await fetch(`${site.origin}/robots.txt`)).text()).toContain(`Sitemap: ${site.origin}/sitemap.xml`);
    expect(await (await fetch(`${site.origin}/sitemap.xml`)).text()).toContain(`<loc>${site.origin}/</loc>`);
  });

  it('answers HEAD without a body, and refuses other methods', async () => {
    const head = await fetch(site.origin, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
    expect(await head.text()).toBe('');
    expect((await fetch(site.origin, { method: 'POST' })).status).toBe(405);
  });

  it('stops even while a connection is kept open', async () => {
    const other = await startSite('after');
    await (await fetch(other.origin)).text();
    await other.stop();
    await expect(fetch(other.origin)).rejects.toThrow('fetch failed');
  });
});
