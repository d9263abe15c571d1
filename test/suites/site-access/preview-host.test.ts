import { describe, expect, it } from '@jest/globals';
import { isPreviewHost, PreviewHost } from '../../../src/suites/site-access/preview-host.ts';

describe('a host of previews', () => {
  it.each(['preview.example.com', '*.preview.example.com', 'pr-*.example.com', 'docs-*-acme.vercel.app', 'localhost'])(
    'may be %s',
    (host) => expect(PreviewHost.safeParse(host).success).toBe(true),
  );

  it.each([
    '*',
    '**',
    '*.com',
    'example.*',
    '*.vercel.app',
    '*-*.vercel.app',
    'docs.*.netlify.app',
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    '!example.com',
    '',
  ])('may not be %j: a stranger could have it, or it is none', (host) =>
    expect(PreviewHost.safeParse(host).success).toBe(false),
  );

  it('is matched by its name alone', () => {
    const globs = ['docs-*-acme.vercel.app'];
    expect(isPreviewHost(globs, 'https://docs-git-new-acme.vercel.app/page?x=1')).toBe(true);
    expect(isPreviewHost(globs, 'https://docs-git-new-acme.vercel.app.evil.test/')).toBe(false);
    expect(isPreviewHost(globs, 'https://evil.test/docs-git-new-acme.vercel.app')).toBe(false);
    expect(isPreviewHost(globs, 'https://docs-acme.vercel.app@evil.test/')).toBe(false);
    expect(isPreviewHost([], 'https://docs-git-new-acme.vercel.app/')).toBe(false);
  });
});
