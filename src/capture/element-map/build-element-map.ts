import type { Box } from '../../compare/box.ts';
import { keepsAttribute, type ElementMap, type MappedElement } from '../../elements/element-map.ts';
import { collectStyles, NO_STYLES, SET_NAMES, type ElementStyles } from '../../elements/element-styles.ts';
import { hashPicture, shortenAddress, signAddresses } from '../../elements/picture.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { PictureHashes } from '../watch/watch-pictures.ts';
import { readSnapshot, type Snapshot, type SnapshotNode, type SnapshotTree } from './dom-snapshot.ts';
import { findDrawnElements, type DrawnElement } from './drawn-elements.ts';
import { collapse, indexLabels, MAX_TEXT, nameOf, roleOf, shortenText, type Labels } from './element-semantics.ts';
import { pairElements, type ReadElement } from './pair-elements.ts';
import { createPainter } from './picture-of.ts';
import type { PageReading } from './read-in-page.ts';

const MAX_ELEMENTS = 5000;
/**
 * Maximum number of characters in texts and attributes, plus an allowance for each element, so that a map stays below 1
 * MiB before compression.
 */
const MAX_CHARACTERS = 700_000;
const CHARACTERS_OF_THE_REST = 60;

const MAX_ATTRIBUTE = 200;
const MAX_ATTRIBUTES = 16;

/** Line breaks have boxes but draw nothing. */
const NOT_DRAWN = new Set(['br', 'wbr']);

/** A longer value ends in its hash, so that values that differ only at their end stay different. */
function shortenValue(value: string): string {
  if (value.length <= MAX_ATTRIBUTE) return value;
  const hash = sha256Of(value).slice(0, 12);
  return `${value.slice(0, MAX_ATTRIBUTE - hash.length - 1)}…${hash}`;
}

function keptAttributes(attributes: Map<string, string>): Record<string, string> {
  const kept = [...attributes].filter(([name]) => keepsAttribute(name));
  return Object.fromEntries(kept.slice(0, MAX_ATTRIBUTES).map(([name, value]) => [name, shortenValue(value)]));
}

function ownText({ tag, attributes, value, content, node }: DrawnElement): string {
  // The element's own words, which are stored separately.
  if (tag === '::first-letter') return '';
  if (tag.startsWith('::')) return collapse(node.layout?.text ?? '').slice(0, MAX_TEXT);
  const isSecret = attributes.get('type')?.toLowerCase() === 'password';
  const field = tag === 'input' || tag === 'textarea';
  const said = value === '' ? (attributes.get('placeholder') ?? '') : isSecret ? '' : value;
  const text = field ? said : content.filter((part) => typeof part === 'string').join(' ');
  return shortenText(collapse(text));
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function toPixels(box: Box | null, scale: number): MappedElement['box'] {
  if (box === null) return [0, 0, 0, 0];
  const { left, top, right, bottom } = box;
  return [tenth(left * scale), tenth(top * scale), tenth((right - left) * scale), tenth((bottom - top) * scale)];
}

const places = new Map<string, number>(SET_NAMES.map((name, place) => [name, place]));

/**
 * Styles in the form of maps: specified values if they were read, and hashes of images. Equal arguments return the same
 * object. `hashOf` returns null if a hash is unknown.
 */
function createStyleWriter(
  hashOf: (url: string) => string | null,
): (styles: ElementStyles, set: readonly string[] | null) => ElementStyles {
  const known = new Map<ElementStyles, Map<readonly string[] | null, ElementStyles>>();
  return (styles, set) => {
    const bySet = known.get(styles) ?? new Map<readonly string[] | null, ElementStyles>();
    known.set(styles, bySet);
    const written =
      bySet.get(set) ??
      collectStyles((name) => {
        const value = set?.[places.get(name) ?? -1] ?? styles[name];
        return value.includes('url(') ? signAddresses(value, hashOf) : value;
      });
    bySet.set(set, written);
    return written;
  };
}

/** Those with a box and their ancestors; and the siblings of both, because selectors count them. */
function keepDrawn(elements: DrawnElement[]): DrawnElement[] {
  const drawn = new Set<DrawnElement | null>();
  for (const element of elements.toReversed()) {
    const shows = element.box !== null && !NOT_DRAWN.has(element.tag);
    if (shows || drawn.has(element)) drawn.add(element).add(element.parent);
  }
  return elements.filter((element) => drawn.has(element) || drawn.has(element.parent));
}

type Draft = Omit<MappedElement, 'parent'> & { element: DrawnElement };

type Describe = (element: DrawnElement) => Draft;

function createDescriber(
  trees: SnapshotTree[],
  read: Map<SnapshotNode, ReadElement>,
  pictures: PictureHashes,
  labels: Labels,
  scale: number,
): Describe {
  const { hashOf, pictureOf } = createPainter(trees, pictures, read);
  const writers = trees.map((_, document) => createStyleWriter((url) => hashOf(url, document)));
  return (element) => {
    const role = roleOf(element);
    const known = read.get(element.node);
    const styles = element.box === null || element.styles === null ? null : element.styles;
    return {
      element,
      tag: element.tag,
      id: element.attributes.get('id') ?? '',
      classes: (element.attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== ''),
      attributes: keptAttributes(element.attributes),
      role,
      name: nameOf(element, role, labels),
      text: ownText(element),
      picture: styles === null ? '' : pictureOf(element),
      box: toPixels(element.box, scale),
      styles: (styles && writers[element.place.document]?.(styles, known?.set ?? null)) ?? NO_STYLES,
    };
  };
}

function countCharacters({ id, classes, attributes, name, text }: Draft): number {
  const texts = [id, ...classes, ...Object.entries(attributes).flat(), name, text];
  return texts.reduce((sum, part) => sum + part.length, CHARACTERS_OF_THE_REST);
}

/** Leaves out the deepest first when there are too many: every element that stays keeps its ancestors. */
function limit(drafts: Draft[]): Set<Draft> {
  const chosen = new Set<Draft>();
  let characters = 0;
  for (const draft of drafts.toSorted((one, other) => one.element.depth - other.element.depth)) {
    characters += countCharacters(draft);
    if (chosen.size === MAX_ELEMENTS || characters > MAX_CHARACTERS) break;
    chosen.add(draft);
  }
  return chosen;
}

/** A hash of the elements that are left out, for the nearest one around them that stays. */
function digestRest(drafts: Draft[], chosen: Set<Draft>): Map<DrawnElement, string> {
  const kept = new Set([...chosen].map(({ element }) => element));
  const rest = new Map<DrawnElement, string[]>();
  for (const draft of drafts) {
    if (chosen.has(draft)) continue;
    let around = draft.element.parent;
    while (around !== null && !kept.has(around)) around = around.parent;
    if (around === null) continue;
    const { tag, text, picture } = draft;
    const parts = rest.get(around) ?? [];
    parts.push(hashPicture(JSON.stringify([tag, text, picture])));
    rest.set(around, parts);
  }
  return new Map([...rest].map(([element, parts]) => [element, hashPicture(parts.join())]));
}

/** Everything that is known about a page. */
export type TakenPage = {
  snapshot: Snapshot;
  reading: PageReading;
  pictures: PictureHashes;
  /** What the page has to the left of its window, CSS px: one that is written to the left may go on there. */
  left: number;
};

/**
 * The element map of a screenshot, from Chromium's own snapshot of the page and additional data.
 * @param screenshot Its size, px.
 * @param scale Pixels of the screenshot for each CSS px.
 */
export function buildElementMap(
  { snapshot, reading, pictures, left }: TakenPage,
  screenshot: { width: number; height: number },
  scale: number,
): ElementMap {
  const area = { width: screenshot.width / scale, height: screenshot.height / scale };
  const trees = readSnapshot(snapshot);
  const all = findDrawnElements(trees, area, left);
  const describe = createDescriber(trees, pairElements(trees, reading), pictures, indexLabels(all), scale);
  const drafts = keepDrawn(all).map(describe);
  const chosen = limit(drafts);
  const rest = digestRest(drafts, chosen);
  const elements: MappedElement[] = [];
  const generated: MappedElement[] = [];
  const places = new Map<DrawnElement | null, number>();
  for (const draft of drafts) {
    if (!chosen.has(draft)) continue;
    const { element, ...described } = draft;
    const picture = rest.has(element) ? `${rest.get(element)} ${draft.picture ?? ''}`.trim() : draft.picture;
    const parent = elements.push({ parent: places.get(element.parent) ?? -1, ...described, picture }) - 1;
    places.set(element, parent);
    for (const part of element.generated) {
      if (part.box === null || generated.length === MAX_ELEMENTS) continue;
      const { element: _, ...generatedPart } = describe(part);
      generated.push({ parent, ...generatedPart });
    }
  }
  const fonts = [...pictures.fonts].map(([url, hash]) => [shortenAddress(url), hash]);
  return { elements, generated, fonts: Object.fromEntries(fonts) };
}
