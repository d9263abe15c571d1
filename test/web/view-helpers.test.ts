import { expect, it } from '@jest/globals';
import { viewHelpers } from '../../src/web/view-helpers.ts';

const ID = '00000000-0000-4000-8000-000000000000';

it('a message links the page that sets the access to a site, and nothing else', () => {
  const { linked } = viewHelpers('/icons.svg');
  const text = `<b> https://evil.test/ In Access to the site: https://gate.test/suites/${ID}/access`;
  expect(String(linked?.(text))).toBe(
    `&lt;b&gt; https://evil.test/ In <a href="/suites/${ID}/access">Access to the site</a>`,
  );
});

it.each([
  [
    'Set `previewUrl` in `.github/pixelgate.yml`.',
    'Set <code>previewUrl</code> in <code>.github/pixelgate.yml</code>.',
  ],
  ['`<b>`', '<code>&lt;b&gt;</code>'],
  ['one ` <b> alone', 'one &#x60; &lt;b&gt; alone'],
  ['', ''],
])('%j prints what stands between backticks as code', (text, html) => {
  expect(String(viewHelpers('/icons.svg')['coded']?.(text))).toBe(html);
});
