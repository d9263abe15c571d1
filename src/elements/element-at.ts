import type { ElementMap, MappedElement } from './element-map.ts';
import { TEST_IDS } from './name-element.ts';
import { expand, isInside, regionOf, type Region } from './region.ts';
import { selectElements } from './select-elements.ts';

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

/** How far a change may reach beyond the box of its element, such as by a shadow, px. */
const REACH = 4;

/** A named parent stands for an unnamed element if it is at most this many times as large. */
const NAMED_PARENT = 2;

/**
 * An element that covers more of the image than this is a section of the page, not something that changes by itself.
 */
const LARGEST = 0.5;

const sizeOf = ({ box: [, , width, height] }: MappedElement) => width * height;

const covers = ({ box }: MappedElement, area: Region): boolean => isInside(area, expand(regionOf(box), REACH));

const isNamed = ({ id, attributes }: MappedElement) =>
  id !== '' || TEST_IDS.some((name) => attributes[name] !== undefined);

/** The smallest element that covers the area, or a parent of nearly the same size that has an id or a test id. */
function elementAt({ elements }: ElementMap, area: Region): MappedElement | null {
  const covering = elements.filter((element) => sizeOf(element) > 0 && covers(element, area));
  // Of elements of equal size, the last is the innermost.
  const smallest = covering.reduce<MappedElement | null>(
    (best, element) => (best === null || sizeOf(element) <= sizeOf(best) ? element : best),
    null,
  );
  if (smallest === null) return null;
  for (let at: MappedElement | undefined = smallest; at !== undefined; at = elements[at.parent]) {
    if (sizeOf(at) > NAMED_PARENT * sizeOf(smallest)) break;
    if (isNamed(at)) return at;
  }
  return smallest;
}

/** A selector for the element that the area belongs to. Null when it belongs to no element, or to most of the page. */
export function selectorAt(map: ElementMap, area: Region): string | null {
  const element = elementAt(map, area);
  const page = Math.max(0, ...map.elements.map(sizeOf));
  if (element === null || sizeOf(element) > LARGEST * page) return null;
  return uniqueSelector(map, element);
}
