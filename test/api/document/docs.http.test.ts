import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api-client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await api.stop();
});

describe('the document', () => {
  it('is open to anyone', async () => {
    const { status, body, headers } = await api.request('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api' }] });
  });
});

describe('the page that shows it', () => {
  it('has no script but files of our own, and all of them are there', async () => {
    const { status, body } = await api.request('GET', '/api/docs');
    expect(status).toBe(200);
    expect(body).not.toMatch(/<script(?![^>]* src=)/);
    const files = [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map((match) => String(match[1]));
    expect(files.every((file) => file.startsWith('/api/'))).toBe(true);
    for (const file of files) expect([file, (await api.request('GET', file)).status]).toEqual([file, 200]);
  });

  it('is in the theme that was chosen, or else in that of the system', async () => {
    const themeOf = async (cookie?: string) => {
      const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
      return /data-theme="(\w+)"/.exec((await api.request('GET', '/api/docs', { headers })).body)?.[1];
    };
    expect(await themeOf()).toBe('auto');
    expect(await themeOf('pixelgate_theme=dark')).toBe('dark');
    expect(await themeOf('pixelgate_theme=%22%3E')).toBe('auto');
  });

  it('says of everything how long a browser may keep it', async () => {
    const keeping = async (path: string) => (await api.request('GET', path)).headers.get('cache-control');
    expect(await keeping('/api/docs')).toBe('no-cache');
    expect(await keeping('/api/docs/start.js')).toBe('no-cache');
    expect(await keeping('/api/docs/assets/swagger-ui.css')).toBe('public, max-age=3600');
  });

  it('serves nothing else of the package', async () => {
    for (const file of ['package.json', 'swagger-ui.js', '..%2fpackage.json', '']) {
      expect((await api.request('GET', `/api/docs/assets/${file}`)).status).toBe(404);
    }
  });
});
