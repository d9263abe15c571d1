import { expect, it } from '@jest/globals';
import { viewHelpers } from '../../src/web/view-helpers.ts';

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
