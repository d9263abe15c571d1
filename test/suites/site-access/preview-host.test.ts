import { describe, expect, it } from '@jest/globals';
import { isPreviewHost, PreviewHost, unsafeHosts } from '../../../src/suites/site-access/preview-host.ts';

/** Domains of hosting companies, below which anyone can have a host. */
const SHARED = `vercel.app netlify.app pages.dev workers.dev github.io gitlab.io surge.sh web.app cloudfront.net
  run.app a.run.app uc.a.run.app appspot.com firebaseapp.com fly.dev azurewebsites.net
  azurestaticapps.net westeurope.1.azurestaticapps.net z6.web.core.windows.net
  westeurope.cloudapp.azure.com amazonaws.com s3.amazonaws.com eu-west-1.elb.amazonaws.com
  s3-website-us-east-1.amazonaws.com us-east-1.elasticbeanstalk.com us-east-1.awsapprunner.com
  chromatic.com onrender.com herokuapp.com railway.app up.railway.app amplifyapp.com now.sh ngrok.io
  ngrok-free.app trycloudflare.com loca.lt nip.io glitch.me deno.dev csb.app ondigitalocean.app
  stackblitz.io webcontainer.io app.github.dev netlify.com r2.dev hf.space centralus-01.azurewebsites.net
  cs.amazonlightsail.com us-east.oss.aliyuncs.com functions.fnc.fr-par.scw.cloud stormkit.dev zeabur.app tugboatqa.com
  wpcomstaging.com kinsta.cloud shopifypreview.com`;

describe('a host of previews', () => {
  it.each([
    'preview.example.com',
    '*.preview.example.com',
    'pr-*.example.com',
    'docs-*.preview.example.co.uk',
    '*.preview.internal',
    'localhost',
    '127.0.0.1',
    'docs-git-main-acme.vercel.app',
    'docs-acme.onrender.com',
    '*.docs.pages.dev',
    'pr-*.docs.pages.dev',
    '*-docs.acme.workers.dev',
    'pr-*.d1a2b3.amplifyapp.com',
    '*--acme.netlify.app',
    'deploy-preview-*--acme-docs.netlify.app',
  ])('may be %s', (host) => expect(PreviewHost.parse(host)).toBe(host));

  it.each([
    ['Docs.Example.COM', 'docs.example.com'],
    [' *.preview.example.com. ', '*.preview.example.com'],
    ['*.vorschau.müller.de', '*.vorschau.xn--mller-kva.de'],
  ])('is kept as URLs have it: %j', (typed, kept) => expect(PreviewHost.parse(typed)).toBe(kept));

  it.each([
    '*',
    '**',
    '*.com',
    'com',
    'co.uk',
    'example.*',
    'docs.*.com',
    '*.co.uk',
    '*.com.au',
    '*.kawasaki.jp',
    '*.公司.cn',
    '10.0.0.*',
    '*.0.0.1',
    '*.localhost',
    '*.internal',
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    'user@example.com',
    '!example.com',
    'exa mple.com',
    'a..b',
    '',
  ])('may not be %j: it is no host, or of nobody', (host) => expect(PreviewHost.safeParse(host).success).toBe(false));

  it.each(SHARED.split(/\s+/))('may not be a pattern right below %s, where a stranger can have a host', (domain) => {
    for (const glob of [`*.${domain}`, `docs-*.${domain}`, `docs-*-acme.${domain}`, `docs.*.${domain}`]) {
      const [issue] = PreviewHost.safeParse(glob).error?.issues ?? [];
      expect([glob, issue?.message]).toEqual([glob, expect.stringContaining('anyone can have one below')]);
    }
  });

  it.each(['*--*.netlify.app', '*--.netlify.app', '*-acme.netlify.app', '*--acme*.netlify.app', '*--acme.vercel.app'])(
    'may not be %s, whose host promises nobody a name that ends so',
    (glob) => expect(PreviewHost.safeParse(glob).success).toBe(false),
  );

  it.each([
    ['*.vercel.app', /enter full host names, or use a domain of your own/],
    ['*.pages.dev', /such as \*\.your-project\.pages\.dev, or full host names/],
    ['deploy-preview-*.netlify.app', /such as \*--your-project\.netlify\.app/],
  ])('that is refused as %s is told what to enter instead', (glob, advice) => {
    expect(PreviewHost.safeParse(glob).error?.issues[0]?.message).toMatch(advice);
  });

  it('is matched by its name alone', () => {
    const globs = ['*--acme.netlify.app'];
    expect(isPreviewHost(globs, 'https://new--acme.netlify.app/page?x=1')).toBe(true);
    expect(isPreviewHost(globs, 'https://new--acme.netlify.app.evil.test/')).toBe(false);
    expect(isPreviewHost(globs, 'https://evil.test/new--acme.netlify.app')).toBe(false);
    expect(isPreviewHost(globs, 'https://new--acme.netlify.app@evil.test/')).toBe(false);
    expect(isPreviewHost(globs, 'https://new--acme.evil.netlify.app/')).toBe(false);
    expect(isPreviewHost(globs, 'https://acme.netlify.app/')).toBe(false);
    expect(isPreviewHost(globs, 'no address')).toBe(false);
    expect(isPreviewHost([], 'https://new--acme.netlify.app/')).toBe(false);
    expect(
      isPreviewHost(
        ['*.müller.de'].map((glob) => PreviewHost.parse(glob)),
        'https://x.müller.de/',
      ),
    ).toBe(true);
  });

  it('is not trusted where the owner of the domain gives hosts away', () => {
    const globs = ['*.elementor.cloud', '*.deno.net', '*.github.com'];
    expect(isPreviewHost(['*.wixstudio.com', '*.gitlab.com'], 'https://evil.wixstudio.com/')).toBe(false);
    expect(isPreviewHost(globs, 'https://docs.github.com/')).toBe(true);
    expect(isPreviewHost(['*.kawasaki.jp.example.com'], 'https://x.kawasaki.jp.example.com/')).toBe(true);
    expect(isPreviewHost(['*.railway.com', '*.google.com'], 'https://evil.translate.goog/')).toBe(false);
    expect(isPreviewHost(['*.scw.cloud'], 'https://x.s3.fr-par.scw.cloud/')).toBe(false);
  });

  it('that was saved before and could be a stranger’s is not used', () => {
    const globs = ['docs-*-acme.vercel.app', 'preview.example.com'];
    expect(unsafeHosts(globs)).toEqual(['docs-*-acme.vercel.app']);
    expect(isPreviewHost(globs, 'https://docs-evil-acme.vercel.app/')).toBe(false);
    expect(isPreviewHost(globs, 'https://preview.example.com/')).toBe(true);
  });
});
