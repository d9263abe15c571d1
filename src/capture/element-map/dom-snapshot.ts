import type { Box } from '../../compare/box.ts';
import {
  collectStyles,
  isOneOf,
  isResolved,
  SET_NAMES,
  STYLE_NAMES,
  type ElementStyles,
} from '../../elements/element-styles.ts';
import { MASK_TAG } from '../scripts/mask-script.ts';

type Sparse = { index: number[]; value: number[] };

type SnapshotDocument = {
  baseURL: number;
  scrollOffsetX?: number;
  scrollOffsetY?: number;
  nodes: {
    parentIndex?: number[];
    nodeType?: number[];
    nodeName?: number[];
    nodeValue?: number[];
    attributes?: number[][];
    inputValue?: Sparse;
    inputChecked?: { index: number[] };
    textValue?: Sparse;
    currentSourceURL?: Sparse;
    contentDocumentIndex?: Sparse;
    optionSelected?: { index: number[] };
  };
  layout: { nodeIndex: number[]; styles: number[][]; bounds: number[][]; text: number[] };
};

/**
 * The used parts of the response of `DOMSnapshot.captureSnapshot`. Numbers are indexes into `strings`; -1 means none.
 */
export type Snapshot = { documents: SnapshotDocument[]; strings: string[] };

export type Layout = {
  /** CSS px of the document. */
  box: Box;
  styles: ElementStyles;
  /** As it is drawn: of generated content too. */
  text: string;
};

export type SnapshotNode =
  | { kind: 'text'; parent: number; text: string; layout: Layout | null }
  | {
      kind: 'element';
      parent: number;
      /** In lower case. `::before` and the like are generated content. */
      tag: string;
      attributes: Map<string, string>;
      /** What a form field holds. */
      value: string;
      selected: boolean;
      checked: boolean;
      /** The address of the image that the browser selected; '' if none. */
      source: string;
      layout: Layout | null;
      /** Of a frame that the browser can look into. */
      frame: number | null;
    };

export type SnapshotTree = {
  /** Relative addresses in it are resolved against this one. */
  address: string;
  scroll: { x: number; y: number };
  /** By their position in the document. Null for nodes that are neither elements nor texts, and for our own masks. */
  nodes: (SnapshotNode | null)[];
};

const ELEMENT = 1;
const TEXT = 3;

function readSparse(sparse: Sparse | undefined): Map<number, number> {
  return new Map(sparse?.index.map((node, place) => [node, sparse.value[place] ?? -1]));
}

const isSet = isOneOf(SET_NAMES);

/** The computed styles to ask for: of styles that are read in the page, only those to use where no script can reach. */
export const SNAPSHOT_STYLES = STYLE_NAMES.filter((name) => !isSet(name) || isResolved(name));

/** There are far fewer sets of styles than elements, so equal ones share one object. */
function createStyleReader(text: (place: number | undefined) => string): (places: number[]) => ElementStyles {
  const known = new Map<string, ElementStyles>();
  return (places) => {
    const key = places.join(' ');
    const styles =
      known.get(key) ?? readStyles(new Map(SNAPSHOT_STYLES.map((name, place) => [name, text(places[place])])));
    known.set(key, styles);
    return styles;
  };
}

/** Without colors of invisible parts, which follow the color of the text. */
function readStyles(values: Map<string, string>): ElementStyles {
  const value = (name: string) => values.get(name) ?? '';
  if (value('border-style') === 'none') values.set('border-color', '');
  if (value('outline').includes(' none ')) values.set('outline', 'none');
  if (value('outline') === 'none') values.set('outline-offset', '0px');
  if (!/solid|double|dotted|dashed|ridge|groove|inset|outset/.test(value('column-rule')))
    values.set('column-rule', 'none');
  if (value('text-emphasis').startsWith('none')) values.set('text-emphasis', 'none');
  if (value('-webkit-text-stroke').startsWith('0px')) values.set('-webkit-text-stroke', 'none');
  if (value('-webkit-text-fill-color') === value('color')) values.set('-webkit-text-fill-color', 'currentcolor');
  return collectStyles(value);
}

function readLayouts(
  { layout }: SnapshotDocument,
  stylesAt: (places: number[]) => ElementStyles,
  textAt: (place: number | undefined) => string,
): Map<number, Layout> {
  const layouts = new Map<number, Layout>();
  for (const [place, node] of layout.nodeIndex.entries()) {
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[place] ?? [];
    const text = textAt(layout.text[place]);
    const known = layouts.get(node);
    // The first is the element's own. Generated content has more: its words and images.
    if (known !== undefined) {
      known.text += text;
      continue;
    }
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    layouts.set(node, { box, styles: stylesAt(layout.styles[place] ?? []), text });
  }
  return layouts;
}

function readAttributes(places: number[], text: (place: number | undefined) => string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; at + 1 < places.length; at += 2) attributes.set(text(places[at]), text(places[at + 1]));
  return attributes;
}

/** The documents of a snapshot: the page first, then those of its frames. */
export function readSnapshot({ documents, strings }: Snapshot): SnapshotTree[] {
  const text = (place: number | undefined) => strings[place ?? -1] ?? '';
  const stylesAt = createStyleReader(text);
  return documents.map((document): SnapshotTree => {
    const { parentIndex = [], nodeType = [], nodeName = [], nodeValue = [], attributes = [] } = document.nodes;
    const layouts = readLayouts(document, stylesAt, text);
    const values = new Map([...readSparse(document.nodes.textValue), ...readSparse(document.nodes.inputValue)]);
    const frames = readSparse(document.nodes.contentDocumentIndex);
    const selected = new Set(document.nodes.optionSelected?.index);
    const checked = new Set(document.nodes.inputChecked?.index);
    const sources = readSparse(document.nodes.currentSourceURL);
    const readNode = (type: number, node: number): SnapshotNode | null => {
      const shared = { parent: parentIndex[node] ?? -1, layout: layouts.get(node) ?? null };
      if (type === TEXT) return { kind: 'text', ...shared, text: text(nodeValue[node]) };
      const tag = text(nodeName[node]).toLowerCase();
      if (type !== ELEMENT || tag === MASK_TAG) return null;
      return {
        kind: 'element',
        ...shared,
        tag,
        attributes: readAttributes(attributes[node] ?? [], text),
        value: text(values.get(node)),
        selected: selected.has(node),
        checked: checked.has(node),
        source: text(sources.get(node)),
        frame: frames.get(node) ?? null,
      };
    };
    return {
      address: text(document.baseURL),
      scroll: { x: document.scrollOffsetX ?? 0, y: document.scrollOffsetY ?? 0 },
      nodes: nodeType.map(readNode),
    };
  });
}
