import { hashPicture } from '../../elements/picture.ts';
import type { DrawnElement } from './drawn-elements.ts';

const MAX_NAME = 80;

/** The role that a tag has without attributes. */
const ROLES: Record<string, string> = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  details: 'group',
  dialog: 'dialog',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  img: 'img',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  section: 'region',
  select: 'combobox',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  th: 'columnheader',
  thead: 'rowgroup',
  tr: 'row',
  ul: 'list',
};

const INPUT_ROLES: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  color: '',
  file: 'button',
  hidden: '',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

/** Inside these, `header` and `footer` belong to a part of the page. */
const SECTIONING = ['article', 'aside', 'main', 'nav', 'section'];

/** Roles whose name is their text, and replaces it. */
export const NAMED_BY_TEXT: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'tab',
  'tooltip',
  'treeitem',
]);

function isInSection(element: DrawnElement | null): boolean {
  if (element === null) return false;
  return SECTIONING.includes(element.tag) || isInSection(element.parent);
}

/** The ARIA role that is given, or implied by the tag; '' when none. */
export function roleOf(element: DrawnElement): string {
  const { tag, attributes } = element;
  const [given = ''] = (attributes.get('role') ?? '').trim().toLowerCase().split(/\s+/);
  if (given !== '') return given;
  switch (tag) {
    case 'a':
    case 'area':
      return attributes.has('href') ? 'link' : '';
    case 'header':
      return isInSection(element.parent) ? '' : 'banner';
    case 'footer':
      return isInSection(element.parent) ? '' : 'contentinfo';
    case 'img':
      return attributes.get('alt') === '' ? 'presentation' : 'img';
    case 'input':
      return INPUT_ROLES[attributes.get('type')?.toLowerCase() ?? ''] ?? 'textbox';
    case 'select':
      return attributes.has('multiple') ? 'listbox' : 'combobox';
    default:
      return ROLES[tag] ?? '';
  }
}

/** Roles that are named by their content. */
const NAMED_BY_CONTENT = new Set([...NAMED_BY_TEXT, 'columnheader']);

/** Maximum length of a text that is kept. */
export const MAX_TEXT = 1000;

/** A longer one ends in the hash of the rest, so that texts that differ only at their end stay different. */
export const shortenText = (text: string) =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…${hashPicture(text.slice(MAX_TEXT))}`;

/** As pages draw it: other spaces, such as no-break ones, keep their width. */
export const collapse = (text: string) => text.replaceAll(/[ \t\n\r\f]+/g, ' ').replaceAll(/^ | $/g, '');

/** The texts in an element and its descendants; not much longer than a name. */
function textInside(element: DrawnElement): string {
  let text = '';
  for (const part of element.content) {
    if (text.length > 2 * MAX_NAME) break;
    text += typeof part === 'string' ? part : textOfPart(part);
  }
  return text;
}

function textOfPart(part: DrawnElement): string {
  const text = part.attributes.get('aria-label') ?? part.attributes.get('alt') ?? textInside(part);
  return part.styles?.display === 'inline' && part.tag !== 'br' ? text : ` ${text} `;
}

/** By the ids that other elements refer to, and the ids of fields that labels are for. */
export type Labels = { byId: Map<string, DrawnElement>; byField: Map<string, DrawnElement> };

export function indexLabels(elements: DrawnElement[]): Labels {
  const labels: Labels = { byId: new Map(), byField: new Map() };
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined && !labels.byId.has(id)) labels.byId.set(id, element);
    const field = element.tag === 'label' ? element.attributes.get('for') : undefined;
    if (field !== undefined && !labels.byField.has(field)) labels.byField.set(field, element);
  }
  return labels;
}

function labelOf(element: DrawnElement, { byField }: Labels): string {
  if (!['input', 'select', 'textarea', 'meter', 'progress', 'output'].includes(element.tag)) return '';
  const label =
    byField.get(element.attributes.get('id') ?? '') ?? (element.parent?.tag === 'label' ? element.parent : null);
  return label === null ? '' : textInside(label);
}

/** A short accessible name, like screen readers find it in the usual cases; '' if none. */
export function nameOf(element: DrawnElement, role: string, labels: Labels): string {
  const { attributes } = element;
  const referred = (attributes.get('aria-labelledby') ?? '').split(/\s+/).flatMap((id) => labels.byId.get(id) ?? []);
  const candidates = [
    () => referred.map(textInside).join(' '),
    () => attributes.get('aria-label'),
    () => (element.tag === 'input' && role === 'button' ? element.value : labelOf(element, labels)),
    () => attributes.get('alt'),
    () => (NAMED_BY_CONTENT.has(role) ? textInside(element) : ''),
    () => attributes.get('title'),
    () => attributes.get('placeholder'),
  ];
  for (const candidate of candidates) {
    const name = collapse(candidate() ?? '');
    if (name !== '') return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  }
  return '';
}
