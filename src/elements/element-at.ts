import type { ElementMap, MappedElement } from './element-map.ts';
import { uniqueSelector } from './unique-selector.ts';

/** In px of the image. */
type Area = { x: number; y: number; width: number; height: number };

/** How far a change may reach beyond the box of its element, such as by a shadow, px. */
const REACH = 4;

/** A named parent stands for an unnamed element if it is at most this many times as large. */
const NAMED_PARENT = 2;

/**
 * An element that covers more of the image than this is a section of the page, not something that changes by itself.
 */
const LARGEST = 0.5;

const sizeOf = ({ box: [, , width, height] }: MappedElement) => width * height;

function covers({ box: [x, y, width, height] }: MappedElement, area: Area): boolean {
  return (
    x - REACH <= area.x &&
    y - REACH <= area.y &&
    x + width + REACH >= area.x + area.width &&
    y + height + REACH >= area.y + area.height
  );
}

const isNamed = ({ id, attributes }: MappedElement) =>
  id !== '' || ['data-testid', 'data-test', 'data-cy'].some((name) => attributes[name] !== undefined);

/** The smallest element that covers the area, or a parent of nearly the same size that has an id or a test id. */
function elementAt({ elements }: ElementMap, area: Area): MappedElement | null {
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
export function selectorAt(map: ElementMap, area: Area): string | null {
  const element = elementAt(map, area);
  const page = Math.max(0, ...map.elements.map(sizeOf));
  if (element === null || sizeOf(element) > LARGEST * page) return null;
  return uniqueSelector(map, element);
}
