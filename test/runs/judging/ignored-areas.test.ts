import { expect, it } from '@jest/globals';
import type { MappedElement } from '../../../src/elements/element-map.ts';
import { collectStyles } from '../../../src/elements/element-styles.ts';
import { ignoredAreas } from '../../../src/runs/judging/ignored-areas.ts';
import { mapOf } from '../../elements/element-map.ts';

const styled = (styles: Record<string, string>) => collectStyles((name) => styles[name] ?? '');
const ABOVE = { position: 'absolute', opacity: '1', visibility: 'visible' };
const area = { x: 0, y: 0, width: 100, height: 20 };

async function areasOf(menu: Partial<MappedElement>, item: Partial<MappedElement> = {}) {
  const map = mapOf(
    { tag: 'body' },
    { parent: 0, classes: ['menu'], ...menu },
    { parent: 1, styles: styled({ position: 'static', opacity: '1', visibility: 'visible' }), ...item },
  );
  return (await ignoredAreas({ ignore: ['.menu'], ignoreBoxes: [] }, { baseline: null, current: map })).current;
}

it.each([
  ['is drawn above the page', ABOVE, [area]],
  ['is invisible but has its own space', { ...ABOVE, position: 'static', visibility: 'hidden' }, [area]],
  ['is an open menu', {}, [area]],
  ['shows only a part', { ...ABOVE, 'clip-path': 'inset(0px 0px 10%)' }, [area]],
  ['is round', { ...ABOVE, 'clip-path': 'circle(50% at 0px 100%)' }, [area]],
])('an element that %s is ignored', async (_what, styles, areas) => {
  expect(await areasOf({ styles: styled(styles) })).toEqual(areas);
});

it.each([
  ['hidden', { ...ABOVE, visibility: 'hidden' }],
  ['transparent', { ...ABOVE, position: 'fixed', opacity: '0' }],
  ['clipped from an edge', { ...ABOVE, 'clip-path': 'inset(0px 0px 100%)' }],
  ['clipped into a corner', { ...ABOVE, 'clip-path': 'circle(0px at 100% 0px)' }],
])('the page below an element that is %s is not ignored', async (_what, styles) => {
  expect(await areasOf({ styles: styled(styles) }, { styles: styled({ visibility: 'hidden' }) })).toEqual([]);
});

it('a visible part of a hidden element is ignored', async () => {
  const item = { box: [10, 5, 20, 10] as [number, number, number, number], styles: styled({ visibility: 'visible' }) };
  const areas = await areasOf({ styles: styled({ ...ABOVE, visibility: 'hidden' }) }, item);
  expect(areas).toEqual([{ x: 10, y: 5, width: 20, height: 10 }]);
});
