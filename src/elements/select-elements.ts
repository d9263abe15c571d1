import { compile, type Options } from 'css-select';
import { AttributeAction, parse, SelectorType, type PseudoSelector, type Selector } from 'css-what';
import getNthCheck from 'nth-check';
import { keepsAttribute, type Elements, type MappedElement } from './element-map.ts';

/** For each element of a map, by its index, whether it is one of a set. */
type Marks = readonly boolean[];

/** The index of each element's parent, and of the sibling before it; -1: there is none. Both are before the element. */
type Relations = { parents: readonly number[]; siblings: readonly number[] };

function findRelations({ elements }: Elements): Relations {
  const newest = new Map<number, number>();
  const parents = elements.map(({ parent }, index) => (parent >= 0 && parent < index ? parent : -1));
  const siblings = parents.map((parent, index) => {
    const before = newest.get(parent) ?? -1;
    newest.set(parent, index);
    return before;
  });
  return { parents, siblings };
}

/** The elements whose link leads to a marked one, or with `far` any number of links. */
function follow(links: readonly number[], marks: Marks, far: boolean): Marks {
  const found: boolean[] = [];
  for (const link of links) found.push(link !== -1 && (marks[link] === true || (far && found[link] === true)));
  return found;
}

/** The elements to which the link of a marked one leads, or with `far` any number of links. */
function followBack(links: readonly number[], marks: Marks, far: boolean): Marks {
  const found = links.map(() => false);
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const link = links[index] ?? -1;
    if (link !== -1 && (marks[index] === true || (far && found[index] === true))) found[link] = true;
  }
  return found;
}

/** How many of the marked elements of its group come before each element, or after it. */
function countBefore(groups: readonly (number | string)[], marks: Marks, reverse: boolean): number[] {
  const counts = new Map<number | string, number>();
  const found: number[] = groups.map(() => 0);
  for (let at = 0; at < groups.length; at += 1) {
    const index = reverse ? groups.length - 1 - at : at;
    const group = groups[index] ?? -1;
    const count = counts.get(group) ?? 0;
    found[index] = count;
    if (marks[index] === true) counts.set(group, count + 1);
  }
  return found;
}

/** A map that is searched. */
type Searched = Elements & Relations;

function attribute({ id, classes, attributes }: MappedElement, name: string): string | undefined {
  if (name === 'id') return id === '' ? undefined : id;
  if (name === 'class') return classes.length === 0 ? undefined : classes.join(' ');
  return attributes[name];
}

/**
 * css-select matches tags and attributes only. It would follow combinators again for each element, which can take days.
 */
const OPTIONS: Options<MappedElement, MappedElement> = {
  adapter: {
    isTag: (_element): _element is MappedElement => true,
    getAttributeValue: attribute,
    hasAttrib: (element, name) => attribute(element, name) !== undefined,
    getName: ({ tag }) => tag,
    getChildren: () => [],
    getParent: () => null,
    getSiblings: (element) => [element],
    getText: ({ text }) => text,
    removeSubsets: (elements) => elements,
  },
};

/** Pseudo-classes that take a selector. */
const ALIASES: Readonly<Record<string, string>> = {
  'first-child': ':nth-child(1)',
  'last-child': ':nth-last-child(1)',
  'only-child': ':nth-child(1):nth-last-child(1)',
  'first-of-type': ':nth-of-type(1)',
  'last-of-type': ':nth-last-of-type(1)',
  'only-of-type': ':nth-of-type(1):nth-last-of-type(1)',
  'any-link': ':is(a, area)[href]',
  link: ':is(a, area)[href]',
  checked:
    ':is(input:is([type=radio], [type=checkbox])[checked], option:is([selected], select:not([multiple]):not(:has(> option[selected])) > :first-of-type))',
  disabled:
    ':is(:is(button, input, select, textarea, optgroup, option, fieldset)[disabled], optgroup[disabled] > option, fieldset[disabled] :is(button, input, select, textarea, fieldset):not(fieldset[disabled] > legend:first-of-type *))',
  enabled: ':is(button, input, select, textarea, optgroup, option, fieldset):not(:disabled)',
  required: ':is(input, select, textarea)[required]',
  optional: ':is(input, select, textarea):not([required])',
};

const and = (one: Marks, other: Marks): Marks => one.map((mark, index) => mark && other[index] === true);

const marksOf = ({ elements }: Searched, isMarked: (element: MappedElement, index: number) => boolean): Marks =>
  elements.map(isMarked);

const everything = (map: Searched) => marksOf(map, () => true);

/** How a combinator leads from an element to earlier ones. Null: the part is no combinator. */
function linksOf(
  { parents, siblings }: Searched,
  { type }: Selector,
): { links: readonly number[]; far: boolean } | null {
  switch (type) {
    case SelectorType.Child:
    case SelectorType.Descendant:
      return { links: parents, far: type === SelectorType.Descendant };
    case SelectorType.Adjacent:
    case SelectorType.Sibling:
      return { links: siblings, far: type === SelectorType.Sibling };
    default:
      return null;
  }
}

/** From left to right: after each part, the elements that the selector matches up to there. */
function selectOne(map: Searched, parts: readonly Selector[]): Marks {
  return parts.reduce((marks, part) => {
    const step = linksOf(map, part);
    return step === null ? and(marks, selectPart(map, part)) : follow(step.links, marks, step.far);
  }, everything(map));
}

/** From right to left: the elements from which the rest of the selector leads to a match. */
function selectHaving(map: Searched, parts: readonly Selector[]): Marks {
  const [first] = parts;
  const isRelative = first !== undefined && linksOf(map, first) !== null;
  const marks = parts.reduceRight((having, part) => {
    const step = linksOf(map, part);
    return step === null ? and(having, selectPart(map, part)) : followBack(step.links, having, step.far);
  }, everything(map));
  return isRelative ? marks : followBack(map.parents, marks, true);
}

const selectAny = (
  map: Searched,
  selectors: readonly Selector[][],
  select: (map: Searched, parts: readonly Selector[]) => Marks = selectOne,
): Marks =>
  selectors
    .map((parts) => select(map, parts))
    .reduce(
      (one, other) => one.map((mark, index) => mark || other[index] === true),
      marksOf(map, () => false),
    );

/** Whether any part asks for an attribute that maps don't keep. */
const asksForMore = (selectors: readonly Selector[][]): boolean =>
  selectors.flat().some((part) => {
    if (part.type === SelectorType.Attribute) return !['id', 'class'].includes(part.name) && !keepsAttribute(part.name);
    return part.type === SelectorType.Pseudo && Array.isArray(part.data) && asksForMore(part.data);
  });

const NTH = /^nth-(last-)?(child|of-type)$/;

/** `2n+1`, and for children `2n+1 of .selector`. */
function selectNth(map: Searched, { name, data }: PseudoSelector): Marks {
  if (typeof data !== 'string') throw new Error(`:${name} needs an n-th rule`);
  const isOfType = name.endsWith('of-type');
  const at = isOfType ? -1 : data.search(/\sof\s/i);
  const isNth = getNthCheck((at === -1 ? data : data.slice(0, at)).trim());
  const counted = at === -1 ? everything(map) : selectAny(map, parse(data.slice(at + 3).trim()));
  const groups = isOfType ? map.elements.map(({ tag }, index) => `${map.parents[index]} ${tag}`) : map.parents;
  const counts = countBefore(groups, counted, name.startsWith('nth-last'));
  return counted.map((mark, index) => mark && isNth(counts[index] ?? 0));
}

function selectPseudo(map: Searched, pseudo: PseudoSelector): Marks {
  const { name, data } = pseudo;
  if (NTH.test(name)) return selectNth(map, pseudo);
  if (Array.isArray(data)) {
    if (name === 'is' || name === 'where') return selectAny(map, data);
    if (name === 'not') {
      const isUnknown = asksForMore(data);
      return selectAny(map, data).map((mark) => !mark && !isUnknown);
    }
    if (name === 'has') return selectAny(map, data, selectHaving);
  } else if (data === null) {
    const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    if (alias !== undefined) return selectAny(map, parse(alias));
    if (name === 'root') return map.parents.map((parent) => parent === -1);
    if (name === 'empty') {
      // Text nodes are not in the map.
      const parents = followBack(map.parents, everything(map), false);
      return marksOf(map, ({ text }, index) => text === '' && parents[index] === false);
    }
  }
  throw new Error(`:${name} cannot be used so`);
}

function matcherOf(part: Selector): (element: MappedElement) => boolean {
  const isClass = part.type === SelectorType.Attribute && part.name === 'class' && part.ignoreCase !== true;
  if (isClass && part.action === AttributeAction.Element) return ({ classes }) => classes.includes(part.value);
  return compile([[part]], OPTIONS);
}

function selectPart(map: Searched, part: Selector): Marks {
  if (part.type === SelectorType.Pseudo) return selectPseudo(map, part);
  return marksOf(map, matcherOf(part));
}

/**
 * The elements that a CSS selector matches, in document order. The content of a shadow root or a frame counts as inside
 * its host. Attributes that maps don't keep match nothing, and neither does `:not()` of one. The time grows with the
 * length of the selector and the size of the map, whatever the selector. @throws Error if the selector is invalid; see
 * `checkSelector`.
 */
export function selectElements(map: Elements, selector: string): MappedElement[] {
  const marks = selectAny({ ...map, ...findRelations(map) }, parse(selector));
  return map.elements.filter((_, index) => marks[index] === true);
}
