import type { ElementMap, MappedElement } from '../../src/elements/element-map.ts';
import { collectStyles } from '../../src/elements/element-styles.ts';

/** An element with nothing special about it. */
function elementOf(changes: Partial<MappedElement>): MappedElement {
  return {
    parent: -1,
    tag: 'div',
    id: '',
    classes: [],
    attributes: {},
    role: '',
    name: '',
    text: '',
    picture: null,
    box: [0, 0, 100, 20],
    styles: collectStyles((name) => (name === 'color' ? 'rgb(0, 0, 0)' : '')),
    ...changes,
  };
}

export const mapOf = (...elements: Partial<MappedElement>[]): ElementMap => ({
  elements: elements.map(elementOf),
  generated: [],
  fonts: {},
});
