import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.ts';
import { isHostAllowed } from '../../../src/github/previews/look-for-preview.ts';
import { isProduction } from '../../../src/github/previews/report.ts';
import { fillTemplate, parsePreviewUrl } from '../../../src/suites/config/preview-matcher.ts';

describe('the address of a preview', () => {
  it('is an absolute http(s) address without credentials', () => {
    expect(parsePreviewUrl(' https://a.example/x#y ')).toBe('https://a.example/x');
    for (const text of [null, undefined, '', '/x', 'ftp://a', 'https://u:p@a', `https://a/${'x'.repeat(2048)}`]) {
      expect(parsePreviewUrl(text)).toBeNull();
    }
  });

  it.each([
    ['production', true],
    ['Production – shop', true],
    ['prod-eu', true],
    ['github-pages', true],
    ['Preview', false],
    ['pre-production', false],
    ['product-page', false],
  ])('is not one of the environment %s: %p', (environment, production) => {
    expect(isProduction({ environment })).toBe(production);
    expect(isProduction({ environment: 'live', production_environment: true })).toBe(true);
  });

  it('is made of a template, with a branch as hosts write it', () => {
    const values = { number: 7, branch: 'feature/New look', sha: 'abc' };
    expect(fillTemplate('https://pr-{number}--{branch}.example.app/{branch}?c={sha}', values)).toBe(
      'https://pr-7--feature-new-look.example.app/feature%2FNew%20look?c=abc',
    );
    expect(fillTemplate('{branch}.example.app', values)).toBeNull();
  });
});

describe('the hosts of previews', () => {
  const { previewHosts } = readConfig({ PREVIEW_HOSTS: '*.example.app, Acme=preview.acme.dev:8443' });

  it('are any where none is named', () => {
    expect(isHostAllowed([], 'acme', 'https://anywhere.test')).toBe(true);
  });

  it.each([
    ['other', 'https://pr-1.example.app/', true],
    ['other', 'https://a.b.example.app/', true],
    ['other', 'https://example.app/', false],
    ['other', 'https://example.app.evil.test/', false],
    ['other', 'https://preview.acme.dev:8443/', false],
    ['ACME', 'https://preview.acme.dev:8443/', true],
    ['acme', 'https://preview.acme.dev/', false],
  ])('of %s include that of %s: %p', (account, address, allowed) => {
    expect(isHostAllowed(previewHosts, account, address)).toBe(allowed);
  });

  it('are refused at the start when they are not names', () => {
    expect(() => readConfig({ PREVIEW_HOSTS: 'https://x.app' })).toThrow('PREVIEW_HOSTS');
  });
});
