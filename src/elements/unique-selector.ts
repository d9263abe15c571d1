import type { ElementMap, MappedElement } from './element-map.ts';
import { selectElements } from './select-elements.ts';

const TEST_IDS = ['data-testid', 'data-test', 'data-cy'];

/** A name that needs no escape in a selector. */
const isPlain = (name: string) => /^-?[_a-z][\w-]*$/i.test(name);

function testIds({ attributes }: MappedElement): string[] {
  return TEST_IDS.flatMap((name) => {
    const value = attributes[name];
    return value === undefined || /["\\\n]/.test(value) ? [] : [`[${name}="${value}"]`];
  });
}

/** Selectors for the element alone: its id, a test id, its tag and classes, its tag. The most specific first. */
function names(element: MappedElement): string[] {
  const { id, tag, classes } = element;
  const plain = classes.filter(isPlain);
  return [
    ...(isPlain(id) ? [`#${id}`] : []),
    ...testIds(element),
    ...plain.map((name) => `${tag}.${name}`),
    ...(plain.length > 1 ? [[tag, ...plain].join('.')] : []),
    ...(isPlain(tag) ? [tag] : []),
  ];
}

/** Its position among siblings with the same tag, `p:nth-of-type(2)`. */
function placed({ elements }: ElementMap, element: MappedElement): string {
  const same = elements.filter(({ parent, tag }) => parent === element.parent && tag === element.tag);
  return same.length === 1 ? element.tag : `${element.tag}:nth-of-type(${same.indexOf(element) + 1})`;
}

/**
 * A short selector that matches this element of the map and no other. Null when none was found, as for an element with
 * an odd tag.
 */
export function uniqueSelector(map: ElementMap, element: MappedElement): string | null {
  const isOnly = (selector: string) => {
    const [first, ...more] = selectElements(map, selector);
    return first === element && more.length === 0;
  };
  const alone = names(element).find(isOnly);
  if (alone !== undefined) return alone;
  if (!isPlain(element.tag)) return null;
  const parent = map.elements[element.parent];
  if (parent === undefined) return null;
  const within = uniqueSelector(map, parent);
  if (within === null) return null;
  return (
    [...names(element).map((name) => `${within} ${name}`), `${within} > ${placed(map, element)}`].find(isOnly) ?? null
  );
}
