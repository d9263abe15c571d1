import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/*
 * Markdown as GitHub shows it: its dialect, then its rules for HTML, then its filter for mentions. The schema that
 * `rehype-sanitize` has by default is GitHub's.
 */

/** GitHub makes links of mentions in text, but not in code and in links. */
const QUIET = new Set(['code', 'pre', 'a', 'style', 'script']);

/** @param {any} node */
function linkMentions(node) {
  node.children = (node.children ?? []).flatMap((/** @type {any} */ child) => {
    if (child.type === 'text' && /(^|\W)@[a-z0-9]/i.test(child.value)) {
      return [{ type: 'element', tagName: 'a', properties: { className: ['user-mention'] }, children: [child] }];
    }
    if (child.type === 'element' && !QUIET.has(child.tagName)) linkMentions(child);
    return [child];
  });
}

const toTree = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize);

/**
 * The elements of the page that GitHub makes of a text.
 * @param {string} markdown
 * @returns {Element_}
 * @typedef {{ type: string, tagName?: string, value?: string, properties?: Record<string, any>, children?: Element_[] }} Element_
 */
export function renderTree(markdown) {
  const tree = toTree.runSync(toTree.parse(markdown));
  linkMentions(tree);
  return tree;
}

/** @param {string} markdown */
export function renderHtml(markdown) {
  return unified()
    .use(rehypeStringify)
    .stringify(/** @type {any} */ (renderTree(markdown)));
}

/**
 * All elements with this name, in the order of the page.
 * @param {Element_} node
 * @param {string} name
 * @returns {Element_[]}
 */
export function findAll(node, name) {
  const own = node.tagName === name ? [node] : [];
  return [...own, ...(node.children ?? []).flatMap((child) => findAll(child, name))];
}

/**
 * @param {Element_} node
 * @returns {string}
 */
export function readText(node) {
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(readText).join('');
}
