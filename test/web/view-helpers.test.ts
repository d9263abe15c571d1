import { expect, it } from '@jest/globals';
import { readViews, viewHelpers } from '../../src/web/render.ts';

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

it('no view prints a field with the name of a helper, which would be called instead', async () => {
  const names = Object.keys(viewHelpers('/icons.svg')).join('|');
  const isCalledAlone = new RegExp(`\\{\\{(?:${names})\\}\\}`);
  const views = [...(await readViews())];
  expect(views.filter(([, source]) => isCalledAlone.test(source)).map(([name]) => name)).toEqual([]);
});
