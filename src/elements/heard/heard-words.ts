import { cut } from '../../text/format.ts';
import type { HeardNode } from './heard-tree.ts';

const LONGEST = 80;

export const quoteHeard = (text: string): string => `“${cut(text, LONGEST)}”`;

/** People's words for roles that the browser calls something else. */
const ROLES: Record<string, string> = {
  RootWebArea: 'page',
  Iframe: 'frame',
  IframePresentational: 'frame',
  LabelText: 'label',
  LayoutTable: 'table',
  LayoutTableRow: 'row',
  LayoutTableCell: 'cell',
  generic: 'part',
  img: 'image',
  textbox: 'text field',
  searchbox: 'search field',
  combobox: 'combo box',
  listbox: 'list box',
  listitem: 'list item',
  columnheader: 'column header',
  rowheader: 'row header',
  contentinfo: 'page footer',
  banner: 'page header',
  complementary: 'complementary part',
  menuitem: 'menu item',
  menuitemcheckbox: 'menu item',
  menuitemradio: 'menu item',
  progressbar: 'progress bar',
  radiogroup: 'radio group',
  rowgroup: 'row group',
  spinbutton: 'number field',
  tablist: 'tab list',
  tabpanel: 'tab panel',
  treeitem: 'tree item',
};

/** `LayoutTable` → `layout table`. */
const words = (role: string) => role.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

export const nameRole = (role: string): string => ROLES[role] ?? words(role);

/** `button “Search”`, `list`. */
export function nameHeard({ role, name }: Pick<HeardNode, 'role' | 'name'>): string {
  return name === '' ? nameRole(role) : `${nameRole(role)} ${quoteHeard(name)}`;
}

/** The words for a state that a part has or lacks. */
const FLAGS: Record<string, [on: string, off: string]> = {
  disabled: ['is now disabled', 'is no longer disabled'],
  required: ['is now required', 'is no longer required'],
  readonly: ['can now only be read', 'can be changed now'],
  checked: ['is now checked', 'is no longer checked'],
  pressed: ['is now pressed', 'is no longer pressed'],
  selected: ['is now selected', 'is no longer selected'],
  expanded: ['is now expanded', 'is now collapsed'],
  modal: ['is now modal', 'is no longer modal'],
  busy: ['is now busy', 'is no longer busy'],
  invalid: ['is now invalid', 'is no longer invalid'],
  focusable: ['can now be reached with the keyboard', 'can no longer be reached with the keyboard'],
  multiselectable: ['now takes several choices', 'no longer takes several choices'],
  multiline: ['now takes several lines', 'no longer takes several lines'],
  errormessage: ['now has an error message', 'no longer has an error message'],
  atomic: ['is now read as a whole', 'is no longer read as a whole'],
};

/** Other states, before their value. */
const VALUES: Record<string, string> = {
  value: 'value',
  valuetext: 'value in words',
  valuemin: 'smallest value',
  valuemax: 'largest value',
  level: 'level',
  description: 'description',
  live: 'announcing of changes',
  relevant: 'kinds of announced changes',
  hasPopup: 'popup',
  autocomplete: 'completion',
  orientation: 'orientation',
  keyshortcuts: 'keyboard shortcuts',
  roledescription: 'own name for its role',
  language: 'language',
  current: 'mark as the current one',
  sort: 'sort order',
};

/** In words that go after the part. Undefined: it does not say. */
export function describeState(state: string, before: string | undefined, after: string | undefined): string {
  const flag = FLAGS[state];
  if (flag !== undefined && (after === 'true' || before === undefined || before === 'true')) {
    if (after === 'true') return flag[0];
    if (after === 'false' || (after === undefined && state !== 'expanded')) return flag[1];
  }
  if (flag !== undefined && after === undefined) return `no longer says whether it is ${state}`;
  if (flag !== undefined && after === 'mixed') return `is now partly ${state}`;
  const name = VALUES[state] ?? words(state);
  if (after === undefined) return `lost its ${name} ${quoteHeard(before ?? '')}`;
  if (before === undefined) return `now has the ${name} ${quoteHeard(after)}`;
  return `has the ${name} ${quoteHeard(after)}, before ${quoteHeard(before)}`;
}
