import { AttributeAction, isTraversal, parse, SelectorType, type Selector } from 'css-what';
import { selectElements } from './select-elements.ts';

/**
 * Selectors that browsers and element maps both support, so that a rule matches the same elements in the page and in a
 * stored result.
 */
const PSEUDO_CLASSES = [
  'is',
  'where',
  'not',
  'has',
  'root',
  'empty',
  'first-child',
  'last-child',
  'only-child',
  'first-of-type',
  'last-of-type',
  'only-of-type',
  'nth-child',
  'nth-last-child',
  'nth-of-type',
  'nth-last-of-type',
  'any-link',
  'link',
  'checked',
  'disabled',
  'enabled',
  'required',
  'optional',
];

const NONE = 'This is not a CSS selector';

/** Parts that may contain any character: escapes, strings and attribute selectors. */
const QUOTED = /\\.|"[^"]*"|'[^']*'|\[[^\]]*\]/gs;

/** What css-what accepts and browsers don't: ids and classes that start with a digit, and stray characters. */
const MALFORMED = /[#.](?![a-z_\u0080-\uffff]|-[a-z_-])|[;@{}!$%&?/<|]/i;

/** `relative` selectors, as in `:has(> img)`, may start with a combinator. */
function findProblem(selectors: Selector[][], relative: boolean): string | null {
  for (const parts of selectors) {
    const [first, last] = [parts.at(0), parts.at(-1)];
    if (first === undefined || last === undefined || isTraversal(last)) return NONE;
    if (isTraversal(first) && !relative) return NONE;
    for (const part of parts) {
      const problem = findProblemOfPart(part);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function findProblemOfPart(part: Selector): string | null {
  switch (part.type) {
    case SelectorType.PseudoElement:
      return `::${part.name} is a part of an element, which rules cannot name`;
    case SelectorType.Pseudo:
      if (!PSEUDO_CLASSES.includes(part.name)) return `:${part.name} cannot be used in rules`;
      return Array.isArray(part.data) ? findProblem(part.data, part.name === 'has') : null;
    case SelectorType.Parent:
    case SelectorType.ColumnCombinator:
      return NONE;
    case SelectorType.Attribute:
      return part.action === AttributeAction.Not || part.namespace !== null ? NONE : null;
    case SelectorType.Tag:
    case SelectorType.Universal:
      return part.namespace === null ? null : NONE;
    default:
      return null;
  }
}

/** What is wrong with a selector of a rule, as a sentence without its full stop. Null if it is valid. */
export function checkSelector(selector: string): string | null {
  if (selector.trim() === '' || MALFORMED.test(selector.replaceAll(QUOTED, 'x'))) return NONE;
  try {
    const problem = findProblem(parse(selector), false);
    // Other errors only show when the selector is used, for example in the argument of `:nth-child()`.
    if (problem === null) selectElements({ elements: [] }, selector);
    return problem;
  } catch {
    return NONE;
  }
}
