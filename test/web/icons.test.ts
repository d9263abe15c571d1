import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { drawIcon, readIconSheet } from '../../src/web/icons.ts';
import { readViews } from '../../src/web/render.ts';

it('an icon refers to the sheet, which has its shape at the same size', async () => {
  const octicon = await readFile('node_modules/@primer/octicons/build/svg/check-16.svg', 'utf8');
  const [shape = ''] = /<path.*\/>/.exec(octicon) ?? [];
  expect(drawIcon('check', '/icons.svg')).toBe(
    '<svg class="octicon" aria-hidden="true" width="16" height="16"><use href="/icons.svg#check"/></svg>',
  );
  expect(await readIconSheet()).toContain(`<symbol id="check" viewBox="0 0 16 16">${shape}</symbol>`);
});

it('every icon that a template names is there', async () => {
  const names = [...(await readViews()).values()].flatMap((source) =>
    [...source.matchAll(/\{\{icon "([^"]+)"|(?:icon|symbol)="([^"]+)"/g)].map(([, own, given]) => own ?? given),
  );
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) expect(drawIcon(name, '')).toContain(`#${name}"`);
  expect(() => drawIcon('nothing', '')).toThrow('There is no icon nothing');
});
