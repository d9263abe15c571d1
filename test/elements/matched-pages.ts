import type { MappedElement } from '../../src/elements/element-map.ts';
import type { TreeNode } from '../../src/elements/element-tree.ts';
import { matchElements } from '../../src/elements/match-elements.ts';
import { mapOf } from './element-map.ts';

/** `called` is how a test refers to the element. What is in it follows in `holds`. */
export type Element = Partial<MappedElement> & { called?: string; holds?: Element[] };

export const body = (...holds: Element[]): Element => ({ tag: 'body', holds });

/** In document order, with the index of each parent. */
function flatten(elements: Element[], parent = -1, into: Partial<MappedElement>[] = []): Partial<MappedElement>[] {
  for (const { called, holds = [], ...element } of elements) {
    const attributes = { ...element.attributes, ...(called === undefined ? {} : { 'data-called': called }) };
    const index = into.push({ ...element, parent, attributes }) - 1;
    flatten(holds, index, into);
  }
  return into;
}

const nameOf = ({ element }: TreeNode) => element.attributes['data-called'];

type Matched = { pairs: string[]; displaced: (string | undefined)[] };

/** Of the elements that have a name in the test, in the order of the second page: `before = after`, or `+ after`. */
export function match(before: Element, after: Element): Matched {
  const { current, partners, displaced } = matchElements(mapOf(...flatten([before])), mapOf(...flatten([after])));
  const named = current.filter((node) => nameOf(node) !== undefined);
  const partnerOf = (node: TreeNode) => {
    const partner = partners.get(node);
    return partner === undefined ? '+' : `${nameOf(partner)} =`;
  };
  return {
    pairs: named.map((node) => `${partnerOf(node)} ${nameOf(node)}`),
    displaced: [...displaced].map(nameOf),
  };
}

export const pairs = (before: Element, after: Element): string[] => match(before, after).pairs;

/** Several paragraphs, each called what it says. */
export const said = (...texts: string[]): Element[] => texts.map((text) => ({ called: text, tag: 'p', text }));

export const numbered = (count: number, of: (number: number) => Element): Element[] =>
  Array.from({ length: count }, (_, at) => of(at));
