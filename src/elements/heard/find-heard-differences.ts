import { cut } from '../../text/format.ts';
import { hash } from '../change-picture.ts';
import { compareTrees, type TreeDifference } from './compare-trees.ts';
import type { Heard, HeardNode } from './heard-tree.ts';

const LONGEST = 80;

const quoteHeard = (text: string): string => `“${cut(text, LONGEST)}”`;

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

const nameRole = (role: string): string => ROLES[role] ?? words(role);

/** `button “Search”`, `list`. */
function nameHeard({ role, name }: Pick<HeardNode, 'role' | 'name'>): string {
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
function describeState(state: string, before: string | undefined, after: string | undefined): string {
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

/** What happened to a part of the page that assistive technology is told about. */
export type HeardDifference = {
  /** Identifies this difference on every page. 32 hexadecimal digits. */
  key: string;
  /** `button “Search”`, `text “3 results”`. */
  part: string;
  /** What happened to it, in words that follow its name: `lost its name`. */
  what: string;
  before: string | null;
  after: string | null;
  /** The role and name of the part in each tree, by which it is found on the page. Null where it is not there. */
  was: NamedPart | null;
  is: NamedPart | null;
};

export type NamedPart = { role: string; name: string };

const named = ({ role, name }: HeardNode) => ({ role, name });

function describeRename({ role, name: before }: HeardNode, { name: after }: HeardNode): string {
  if (role === 'text') return `now says ${quoteHeard(after)}`;
  if (after === '') return 'lost its name';
  return before === '' ? `now has the name ${quoteHeard(after)}` : `is now named ${quoteHeard(after)}`;
}

/** What differs about a part itself, by property. */
function describeChanged(from: HeardNode, to: HeardNode): HeardDifference[] {
  const about = (property: string, what: string, before: string | null, after: string | null): HeardDifference => ({
    key: hash([property, from.role, from.name, before, after]),
    part: nameHeard(from),
    what,
    before,
    after,
    was: named(from),
    is: named(to),
  });
  const states = [...new Set([...Object.keys(from.states), ...Object.keys(to.states)])].toSorted();
  return [
    ...(from.role === to.role ? [] : [about('role', `is now a ${nameRole(to.role)}`, from.role, to.role)]),
    ...(from.name === to.name ? [] : [about('name', describeRename(from, to), from.name, to.name)]),
    ...states
      .filter((state) => from.states[state] !== to.states[state])
      .map((state) => {
        const [before, after] = [from.states[state], to.states[state]];
        return about(`state ${state}`, describeState(state, before, after), before ?? null, after ?? null);
      }),
  ];
}

const WHOLE = {
  added: 'was added',
  removed: 'was removed',
  moved: 'was moved',
  wrapped: 'was put around what was there',
  unwrapped: 'was taken away from around its content',
} as const;

function describe(difference: TreeDifference): HeardDifference[] {
  if (difference.kind === 'changed') return describeChanged(difference.from, difference.to);
  const { kind, node } = difference;
  const wasThere = kind === 'removed' || kind === 'moved' || kind === 'unwrapped';
  const isThere = kind === 'added' || kind === 'moved' || kind === 'wrapped';
  return [
    {
      key: hash([kind, node.role, node.name, 'hash' in difference ? difference.hash : node.states]),
      part: nameHeard(node),
      what: WHOLE[kind],
      before: wasThere ? nameHeard(node) : null,
      after: isThere ? nameHeard(node) : null,
      was: wasThere ? named(node) : null,
      is: isThere ? named(node) : null,
    },
  ];
}

/** For what came or went: the same whatever is in it, which may differ from load to load. */
const bareKey = ({ key, what, was, is }: HeardDifference) =>
  was === null || is === null ? hash([what, was, is]) : key;

/**
 * What differs from what assistive technology was told before: exactly, and each difference once for all places of the
 * page that have it. What differs from load to load of one of the sides does not count.
 */
export function findHeardDifferences(before: Heard, after: Heard): HeardDifference[] {
  const pairs = before.loads.flatMap((one) => after.loads.map((other) => compareTrees(one, other).flatMap(describe)));
  const [first = [], ...others] = pairs;
  const known = others.map((found) => new Set(found.flatMap((each) => [each.key, bareKey(each)])));
  const shared = first.flatMap((each): HeardDifference[] => {
    const key = [each.key, bareKey(each)].find((one) => known.every((keys) => keys.has(one)));
    return key === undefined ? [] : [{ ...each, key }];
  });
  const distinct = new Map(shared.toReversed().map((each) => [each.key, each]));
  return [...distinct.values()].toReversed();
}
