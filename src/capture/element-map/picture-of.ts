import { FAILED, hashDataUrl, hashPicture, PARTS } from '../../elements/picture.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { PictureHashes } from '../watch/watch-pictures.ts';
import { readDrawings, type Drawings } from './digest-drawing.ts';
import type { SnapshotNode, SnapshotTree } from './dom-snapshot.ts';
import type { DrawnElement } from './drawn-elements.ts';
import type { ReadElement } from './pair-elements.ts';

/** If no script can read these, their pixels are read from the screenshot. */
export const OPAQUE: ReadonlySet<string> = new Set(['canvas', 'video', 'iframe', 'embed', 'object']);

const VALUES = ['value', 'min', 'max', 'low', 'high', 'optimum'];

const PREFORMATTED = /pre|break-spaces/;

export type Painter = {
  /** The hash of an image by its address. Null if unknown. */
  hashOf: (url: string, document: number) => string | null;
  /** What an element draws besides its styles and words: see `MappedElement`. */
  pictureOf: (element: DrawnElement) => string | null;
};

const joinFacts = (...facts: (string | null)[]) => facts.filter((fact) => fact !== null && fact !== '').join('; ');

/** Of text whose spaces are drawn as they are, and that has more than one in a row. */
const hashSpaces = (text: string) => (/\s\s|\n/.test(text) ? hashPicture(text) : '');

const fieldType = ({ attributes }: DrawnElement) => attributes.get('type')?.toLowerCase() ?? '';

/** What a field draws beside its words. */
function describeField(field: DrawnElement): string {
  const { node, attributes, value } = field;
  switch (fieldType(field)) {
    case 'checkbox':
    case 'radio':
      return String(node.checked);
    case 'range':
      return ['min', 'max'].map((name) => `${name} ${attributes.get(name) ?? ''}`).join();
    case 'password':
      return `${value.length} characters`;
    default:
      return '';
  }
}

/** After how many characters of its own words an element has line breaks, and other elements. */
function describeFlow({ content }: DrawnElement): string {
  const places: Record<'lines' | 'parts', number[]> = { lines: [], parts: [] };
  let characters = 0;
  for (const part of content) {
    if (typeof part === 'string') characters += part.replaceAll(/\s/g, '').length;
    else if (part.styles !== null) places[part.tag === 'br' ? 'lines' : 'parts'].push(characters);
  }
  const { lines, parts } = places;
  if (characters === 0) return '';
  return [
    ...(lines.length > 0 ? [`lines ${lines.join()}`] : []),
    ...(parts.length > 0 ? [PARTS + parts.join()] : []),
  ].join(' ');
}

/** An SVG image shows the fragment that its address names. */
function hashLoaded(images: PictureHashes['images'], url: string): string | null {
  const [address = '', part = ''] = url.split('#', 2);
  const hash = images.get(url) ?? images.get(address) ?? null;
  return hash === null || part === '' || hash === FAILED ? hash : hashPicture(`${hash}#${part}`);
}

/** What a video draws: its frame, else its poster. */
function describeVideo({ attributes }: DrawnElement, state: string | null, poster: string | null): string | null {
  if (state === null || poster === null) return null;
  return joinFacts(state, poster, attributes.has('controls') ? 'controls' : '');
}

function describeText(element: DrawnElement, state: string | null): string {
  const isRaw = PREFORMATTED.test(element.styles?.['white-space'] ?? '');
  const text = element.content.filter((part) => typeof part === 'string').join('\0');
  return joinFacts(isRaw ? hashSpaces(text) : '', state, describeFlow(element));
}

export function createPainter(
  trees: SnapshotTree[],
  { images }: Pick<PictureHashes, 'images'>,
  read: ReadonlyMap<SnapshotNode, ReadElement>,
): Painter {
  const drawings = new Map<number, Drawings>();
  const drawingsOf = (document: number): Drawings => {
    const known =
      drawings.get(document) ?? readDrawings(trees[document] ?? { nodes: [] }, (url) => hashOf(url, document), read);
    drawings.set(document, known);
    return known;
  };
  function hashOf(url: string, document: number): string | null {
    if (/^data:/i.test(url)) return hashDataUrl(url);
    if (url.startsWith('#')) return drawingsOf(document).digestNamed(url.slice(1));
    const base = trees[document]?.address ?? '';
    return hashLoaded(images, parseUrl(url, base)?.href ?? url);
  }
  const hashNamed = (url: string | undefined, document: number) =>
    url === undefined || url === '' ? '' : hashOf(url, document);
  const hashSource = ({ node, attributes, place }: DrawnElement) => {
    const hash = hashNamed(node.source === '' ? attributes.get('src') : node.source, place.document);
    // These words are shown in its place.
    return hash === FAILED ? `${FAILED} ${attributes.get('alt') ?? ''}` : hash;
  };

  function pictureOf(element: DrawnElement): string | null {
    const { tag, node, attributes, place } = element;
    const state = read.get(node)?.drawn ?? null;
    switch (tag) {
      case 'img':
        return hashSource(element);
      case 'input':
        return fieldType(element) === 'image' ? hashSource(element) : joinFacts(describeField(element), state);
      case 'textarea':
        return joinFacts(hashSpaces(element.value), state);
      case 'progress':
      case 'meter':
        return VALUES.map((name) => `${name} ${attributes.get(name) ?? ''}`).join();
      case 'canvas':
        return state;
      case 'video':
        return describeVideo(element, state, hashNamed(attributes.get('poster'), place.document));
      case 'svg':
        return drawingsOf(place.document).digest(place.node);
      case 'object':
      case 'embed':
        return node.frame === null ? hashNamed(attributes.get('data') ?? attributes.get('src'), place.document) : '';
      case 'iframe':
        return node.frame === null ? null : '';
      default:
        return describeText(element, state);
    }
  }
  return { hashOf, pictureOf };
}
