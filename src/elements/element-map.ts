import type { ElementStyles } from './element-styles.ts';

/** What a page consists of, as it was drawn: in document order, parents before their children. */
export type ElementMap = {
  elements: MappedElement[];
  /** Generated content, such as `::before` and `::marker`, whose parents are elements. No selector finds it. */
  generated: MappedElement[];
  /** Hashes of font files by their addresses. */
  fonts: Record<string, string>;
};

/** Of the two screenshots that are compared. */
export type MapPair = { baseline: ElementMap | null; current: ElementMap | null };

/** Selectors are matched against these. */
export type Elements = Pick<ElementMap, 'elements'>;

export type MappedElement = {
  /** Index in the map; -1 for a root. Inside a shadow root or a frame: that of the host or the `iframe`. */
  parent: number;
  /** In lower case. */
  tag: string;
  id: string;
  classes: string[];
  /**
   * Attributes that name an element or tell what it shows: test ids, `data-*`, `aria-*`, role, name, type, href, src,
   * alt, …
   */
  attributes: Record<string, string>;
  /** ARIA role, given or implied by the tag; '' when none. */
  role: string;
  /** A short accessible name; '' when none. */
  name: string;
  /** Its own text without that of its children, white space collapsed, at most 1,000 characters. */
  text: string;
  /**
   * What else it draws: a hash of an image's bytes, of a canvas's pixels, or of an `svg` with its content; the state of
   * a form field. '' for nothing. Null if unknown.
   */
  picture: string | null;
  /** Px of the image, from its upper left corner. Width and height are 0 when the element itself draws no box. */
  box: [x: number, y: number, width: number, height: number];
  /** Computed values; '' for an element without a box. */
  styles: ElementStyles;
};

/** Attributes that are kept besides `data-*` and `aria-*`. */
const ATTRIBUTES = new Set([
  'role',
  'name',
  'type',
  'href',
  'src',
  'alt',
  'title',
  'for',
  'placeholder',
  'lang',
  'rel',
  'target',
  'checked',
  'disabled',
  'required',
  'readonly',
  'multiple',
  'selected',
  'open',
  'hidden',
]);

export const keepsAttribute = (name: string): boolean => ATTRIBUTES.has(name) || /^(data|aria)-/.test(name);
