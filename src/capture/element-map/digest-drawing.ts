import { STYLE_NAMES } from '../../elements/element-styles.ts';
import { hashPicture } from '../../elements/picture.ts';
import type { SnapshotNode, SnapshotTree } from './dom-snapshot.ts';
import type { ElementNode, ReadElement } from './pair-elements.ts';

const styleNames: ReadonlySet<string> = new Set(STYLE_NAMES);

/** Attributes that name an element or describe it. Styles are compared by their computed values. */
const NOT_DRAWN = /^(?:id|class|role|tabindex|focusable|version|xmlns(?::.*)?|(?:data|aria)-.*|on.*)$/i;

/** Their words are drawn. */
const SAYS: ReadonlySet<string> = new Set(['text', 'tspan', 'textpath', 'a']);

const REFERENCE = /url\(["']?#([^"'()]{1,200})["']?\)/g;

export type Drawings = {
  /** A hash of an element, its content and everything that it refers to, except texts, by its place in the document. */
  digest: (node: number) => string;
  /** Of the element with this id. */
  digestNamed: (id: string) => string | null;
};

/** Compares vector drawings of a document by their source. */
export function readDrawings(
  { nodes }: Pick<SnapshotTree, 'nodes'>,
  hashOf: (url: string) => string | null,
  read: ReadonlyMap<SnapshotNode, ReadElement>,
): Drawings {
  const children = new Map<number, number[]>();
  const named = new Map<string, number>();
  const words = new Map<number, string>();
  for (const [index, node] of nodes.entries()) {
    if (node?.kind === 'text') words.set(node.parent, `${words.get(node.parent) ?? ''}${node.text}`);
    if (node?.kind !== 'element') continue;
    const siblings = children.get(node.parent) ?? [];
    siblings.push(index);
    children.set(node.parent, siblings);
    const id = node.attributes.get('id');
    if (id !== undefined && !named.has(id)) named.set(id, index);
  }

  const known = new Map<number, string>();
  const digestNamed = (id: string) => {
    const place = named.get(id);
    return place === undefined ? null : digest(place);
  };
  const describeValue = (name: string, value: string): string => {
    if (!/^(?:xlink:)?href$/.test(name)) return value.replaceAll(REFERENCE, (_, id: string) => `#${digestNamed(id)}`);
    return (value.startsWith('#') ? digestNamed(value.slice(1)) : hashOf(value)) ?? value;
  };
  /** Elements are compared by their computed styles. The colors of a gradient have none. */
  const counts = ({ layout }: ElementNode, name: string) =>
    !NOT_DRAWN.test(name) && (layout === null || !(name === 'style' || styleNames.has(name)));
  function digest(index: number): string {
    const digested = known.get(index);
    const node = nodes[index];
    if (digested !== undefined || node?.kind !== 'element') return digested ?? '';
    // A direct or indirect reference to itself draws nothing.
    known.set(index, '');
    const attributes = [...node.attributes]
      .filter(([name]) => counts(node, name))
      .map(([name, value]) => `${name}=${describeValue(name, value)}`);
    const drawn = read.get(node)?.drawn ?? '';
    const text = SAYS.has(node.tag) ? (words.get(index) ?? '').trim() : '';
    // Others are elements of the map themselves.
    const own = [node.tag, attributes.toSorted(), ...(drawn === '' ? [] : [drawn, text])];
    const found = hashPicture(JSON.stringify([...own, (children.get(index) ?? []).map(digest)]));
    known.set(index, found);
    return found;
  }
  return { digest, digestNamed };
}
