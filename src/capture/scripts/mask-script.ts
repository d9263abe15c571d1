import type { Box } from '../../compare/box.ts';
import { treeRoots } from './freeze-script.ts';
import { pageSize } from './page-size-script.ts';

/*
 * Runs inside the page just before a screenshot, to cover masked elements and to check which selectors match. Functions
 * are passed as source text, so each may only use what PARTS lists.
 */

/** The tag of our own elements, which don't count as mutations and are not in element maps. */
export const MASK_TAG = 'pixelgate-mask';

/** Null also for what is in the top layer: nothing in the page clips it. */
function parentInFlatTree(element: Element): Element | null {
  if (element.matches(':modal, :popover-open, :fullscreen')) return null;
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** The part of the element's box that its ancestors don't clip. */
function visibleBox(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const box = { left, top, right, bottom };
  let { position } = getComputedStyle(element);
  for (let at = parentInFlatTree(element); at !== null; at = parentInFlatTree(at)) {
    const style = getComputedStyle(at);
    const holdsFixed = style.transform !== 'none' || style.filter !== 'none';
    if (position === 'fixed' && !holdsFixed) continue;
    if (position === 'absolute' && style.position === 'static' && !holdsFixed) continue;
    position = style.position;
    // `overflow` of these two applies to the viewport, and without a box of its own an element has none.
    if (at === document.documentElement || at === document.body || style.display === 'contents') continue;
    const clip = at.getBoundingClientRect();
    if (style.overflowX !== 'visible') {
      box.left = Math.max(box.left, clip.left);
      box.right = Math.min(box.right, clip.right);
    }
    if (style.overflowY !== 'visible') {
      box.top = Math.max(box.top, clip.top);
      box.bottom = Math.min(box.bottom, clip.bottom);
    }
  }
  return box;
}

/** An element without a box of its own is drawn by its children. */
function boxesToCover(element: Element): Box[] {
  if (getComputedStyle(element).display === 'contents') return [...element.children].flatMap(boxesToCover);
  return [visibleBox(element)].filter(({ left, top, right, bottom }) => right > left && bottom > top);
}

function createBox(tag: string, { left, top, right, bottom }: Box, color: string): HTMLElement {
  const box = document.createElement(tag);
  const style = {
    all: 'initial',
    display: 'block',
    position: 'absolute',
    left: `${left}px`,
    top: `${top}px`,
    width: `${right - left}px`,
    height: `${bottom - top}px`,
    overflow: 'hidden',
    'background-color': color,
    'pointer-events': 'none',
    'forced-color-adjust': 'none',
  };
  for (const [name, value] of Object.entries(style)) box.style.setProperty(name, value, 'important');
  return box;
}

/** Paints the boxes above everything. The top layer is above all stacking contexts and not part of the layout. */
function cover(tag: string, boxes: Box[]): void {
  const world: typeof globalThis & { pixelgateMasks?: { host: HTMLElement; key: string } } = globalThis;
  const { width, height } = pageSize();
  const key = JSON.stringify([boxes, width, height]);
  const last = world.pixelgateMasks;
  if (last?.key === key && last.host.isConnected) return;
  last?.host.remove();
  if (boxes.length === 0 || !(document.documentElement instanceof HTMLElement)) return;
  // A page may go on to the left.
  const left = Math.min(0, ...boxes.map((box) => box.left));
  const host = createBox(tag, { left, top: 0, right: width, bottom: height }, 'transparent');
  host.style.setProperty('zoom', String(1 / document.documentElement.currentCSSZoom), 'important');
  const inHost = (box: Box) => ({ ...box, left: box.left - left, right: box.right - left });
  host.append(...boxes.map((box) => createBox(tag, inHost(box), 'rgb(128, 128, 128)')));
  host.popover = 'manual';
  host.ariaHidden = 'true';
  document.documentElement.append(host);
  host.showPopover();
  world.pixelgateMasks = { host, key };
}

function findAll(roots: (Document | ShadowRoot)[], selector: string): Element[] {
  try {
    return roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  } catch {
    return [];
  }
}

/** Covers elements, and returns which of the selectors match something. */
function coverAndCount(tag: string, masks: string[], selectors: string[]): string[] {
  const roots = treeRoots();
  const outwards = ({ left, top, right, bottom }: Box): Box => ({
    left: Math.floor(left + scrollX),
    top: Math.floor(top + scrollY),
    right: Math.ceil(right + scrollX),
    bottom: Math.ceil(bottom + scrollY),
  });
  const masked = masks.flatMap((selector) => findAll(roots, selector));
  cover(tag, masked.flatMap(boxesToCover).map(outwards));
  return selectors.filter((selector) => findAll(roots, selector).length > 0);
}

const PARTS = [
  pageSize,
  treeRoots,
  parentInFlatTree,
  visibleBox,
  boxesToCover,
  createBox,
  cover,
  findAll,
  coverAndCount,
].join('\n');

/** An expression that covers elements and evaluates to those of `selectors` that match something. */
export function coverExpression(masks: string[], selectors: string[]): string {
  const values = [MASK_TAG, masks, selectors].map((value) => JSON.stringify(value)).join(', ');
  return `(() => { ${PARTS}\nreturn coverAndCount(${values}); })()`;
}

/** An expression for the elements of this document that match any of the selectors, at most `most`. */
export function findExpression(selectors: string[], most: number): string {
  const parts = [treeRoots, findAll].join('\n');
  const find = `${JSON.stringify(selectors)}.flatMap((selector) => findAll(treeRoots(), selector)).slice(0, ${most})`;
  return `(() => { ${parts}\nreturn ${find}; })()`;
}
