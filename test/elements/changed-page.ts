import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { PageChange } from '../../src/elements/page-change.ts';
import type { ChangedRegion, Region } from '../../src/elements/region.ts';
import { mapOf } from './element-map.ts';

export type Elements = Partial<MappedElement>[];

export const area = (x: number, y: number, width: number, height: number): Region => ({ x, y, width, height });

/** A place that differs, and is the same in both images. */
export function differing(box: Region, changes: Partial<ChangedRegion> = {}): ChangedRegion {
  return { ...box, baseline: box, current: box, faint: false, fingerprint: 'f1', picture: 'p1', ...changes };
}

/** A page of a bar with a link, and a list below. */
export const page = (bar: number): Elements => [
  { tag: 'body', box: [0, 0, 800, 600] },
  { parent: 0, tag: 'header', classes: ['bar'], box: [0, 0, 800, bar] },
  { parent: 1, tag: 'a', classes: ['cta'], text: 'Buy', attributes: { href: '/buy' }, box: [700, 20, 80, 24] },
  { parent: 0, tag: 'main', box: [0, bar, 800, 500] },
  { parent: 3, tag: 'ul', classes: ['related'], box: [20, bar + 20, 300, 90] },
  { parent: 4, tag: 'li', text: 'One', box: [20, bar + 20, 300, 30] },
  { parent: 4, tag: 'li', text: 'Two', box: [20, bar + 50, 300, 30] },
  { parent: 3, tag: 'img', attributes: { src: '/map.png' }, box: [400, bar + 20, 200, 200] },
];

export const edit = (elements: Elements, at: number, changes: Partial<MappedElement>): Elements =>
  elements.map((element, index) => (index === at ? { ...element, ...changes } : element));

export const styled = (elements: Elements, at: number, styles: Partial<MappedElement['styles']>): Elements => {
  const base = mapOf({}).elements[0];
  if (base === undefined) throw new Error('no element');
  return edit(elements, at, { styles: { ...base.styles, ...styles } });
};

export function changes(before: Elements, after: Elements, ...areas: ChangedRegion[]): PageChange[] {
  return findChanges({ baseline: mapOf(...before), current: mapOf(...after) }, areas);
}

export const short = (list: PageChange[]): string[] =>
  list.map(({ kind, element, summary }) => `${kind} ${element}: ${summary}`);
