import { isGenerated, type TreeNode } from './element-tree.ts';

/** Landmarks that are worth naming before their content. */
const SITE_PARTS = new Set(['header', 'nav', 'footer', 'aside', 'dialog']);
const LANDMARKS = new Set([...SITE_PARTS, 'main', 'form', 'table', 'article']);

/** Elements whose tag says little. */
const PLAIN = new Set([
  'div',
  'section',
  'span',
  'ul',
  'ol',
  'p',
  'form',
  'table',
  'img',
  'canvas',
  'svg',
  'button',
  'a',
]);

/** Attributes by which tests find an element. */
export const TEST_IDS = ['data-testid', 'data-test', 'data-cy'];
const MAX_CLASSES = 2;

/** A name that needs no escape in a selector and contains no number, which would belong to one page or build. */
const isStable = (name: string) => /^-?[_a-z][_a-z-]*$/i.test(name);

const isState = (name: string) =>
  /^(?:is|has|js|no)-|^(?:active|open|show|shown|hidden|visible|selected|current|loaded|lazyloaded)$/i.test(name);

export function testIdOf({ attributes }: TreeNode['element']): string | null {
  for (const name of TEST_IDS) if (attributes[name] !== undefined) return `[${name}="${attributes[name]}"]`;
  return null;
}

/** People don't give longer names than this. */
const MAX_CLASS_LENGTH = 200;

const withoutBuildHash = (name: string) =>
  name.length > MAX_CLASS_LENGTH ? name : name.replace(/(?:__?|--?)(?=[\w-]*\d)\w{4,}$/, '');

/** Class names without what a build adds, such as the hash in `Button_root__x7Ks2`. */
export function stableClasses({ classes }: TreeNode['element']): string[] {
  return classes.map((name) => withoutBuildHash(name)).filter((name) => name !== '');
}

function namingClasses({ classes }: TreeNode['element']): string[] {
  const stable = classes.filter((name) => isStable(name) && !isState(name));
  const chosen = stable.length > 0 ? stable : classes.filter((name) => /^[_a-z][\w-]*$/i.test(name) && !isState(name));
  return chosen.slice(0, MAX_CLASSES);
}

/** The element by itself, and whether that says more than its tag. */
function nameAlone({ element }: TreeNode): { name: string; tells: boolean } {
  const { tag, id } = element;
  if (tag === 'html' || tag === 'body') return { name: tag, tells: true };
  const testId = testIdOf(element);
  if (testId !== null && !/[\d\\]/.test(testId)) return { name: testId, tells: true };
  const classes = namingClasses(element);
  if (classes.length > 0) return { name: [tag, ...classes].join('.'), tells: true };
  if (PLAIN.has(tag) && isStable(id)) return { name: `#${id}`, tells: true };
  return { name: tag, tells: false };
}

function findAnchor(node: TreeNode, accepts: (candidate: TreeNode) => boolean): TreeNode | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.element.tag === 'body' || at.element.tag === 'html') return null;
    if (accepts(at)) return at;
  }
  return null;
}

/**
 * A short selector: `header.bar`, `nav a.cta`, `#search`, `main p`. It says nothing of the element's place among its
 * siblings and uses no numbered names, so that the same part of another page has the same one. It may match more.
 */
export function nameElement(node: TreeNode): string {
  if (isGenerated(node) && node.parent !== null) return nameElement(node.parent) + node.element.tag;
  const { name, tells } = nameAlone(node);
  if (LANDMARKS.has(node.element.tag) || name === 'html' || name === 'body' || name.startsWith('#')) return name;
  const anchor = tells
    ? findAnchor(node, ({ element }) => SITE_PARTS.has(element.tag))
    : findAnchor(node, (at) => LANDMARKS.has(at.element.tag) || nameAlone(at).tells);
  if (anchor === null) return name;
  return `${tells ? anchor.element.tag : nameAlone(anchor).name} ${name}`;
}

/** A selector for elements that have two names: their tag, if both names say it. */
export function nameBoth(one: string, other: string): string {
  if (one === other) return one;
  const tagOf = (name: string) => /^[a-z][\w-]*/.exec(name.slice(name.lastIndexOf(' ') + 1))?.[0];
  const tag = tagOf(one);
  return tag !== undefined && tag === tagOf(other) ? tag : one;
}
