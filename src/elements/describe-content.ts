import { createHash } from 'node:crypto';
import { isInherited, isResolved, STYLE_NAMES } from './element-styles.ts';
import { isGenerated, type TreeNode } from './element-tree.ts';
import { compareAddresses, shortenAddress } from './picture.ts';

/** The element's own styles. Inherited ones depend on where the element is. */
function ownStyles({ element, parent }: TreeNode): string[] {
  const { styles } = element;
  const isSet = styles.width !== '';
  return STYLE_NAMES.map((name) => {
    const isOwn = !isInherited(name) || styles[name] !== parent?.element.styles[name];
    // The computed value, which may differ for the same element elsewhere.
    if (!isOwn || (isResolved(name) && !isSet)) return '';
    return compareAddresses(styles[name], styles[name])[0];
  });
}

/** Generated content has no size other than that of its box, which may be that of its element. */
function sizeOf({ box, parent }: TreeNode): string[] {
  return (['width', 'height'] as const).map((side) =>
    Math.abs(box[side] - (parent?.box[side] ?? 0)) < 1 ? 'all' : `${Math.round(box[side])}`,
  );
}

const known = new WeakMap<TreeNode, string>();

/**
 * A hash of an element and its content: words, pictures, styles and explicit sizes. It does not depend on where the
 * element is.
 */
export function digestContent(node: TreeNode): string {
  const digested = known.get(node);
  if (digested !== undefined) return digested;
  const { tag, text, picture, attributes } = node.element;
  const isDecoration = isGenerated(node) && text === '';
  const own = [tag, text, picture ?? shortenAddress(attributes.src ?? ''), ...ownStyles(node)];
  const content = [own, isDecoration ? sizeOf(node) : [], node.children.map(digestContent)];
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  known.set(node, digest);
  return digest;
}
