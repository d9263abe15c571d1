import { useNodes, type DomNode } from './element-map/reach-closed-roots.ts';
import { callOnNode } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';

/**
 * Called on the tree that the browser makes within a marquee. An important rule also wins over a later animation. What was
 * drawn while it moved is thrown away: placed between two pixels, it would be blurred.
 */
const HOLD = `function () {
  const moving = this.querySelector('div');
  moving.style.setProperty('transform', 'none', 'important');
  for (const animation of moving.getAnimations()) animation.cancel();
  moving.style.setProperty('display', 'none', 'important');
  void this.host.offsetWidth;
  moving.style.removeProperty('display');
}`;

/**
 * Shows the text of each `<marquee>` at its start. Its animation is internal to Chromium, and scripts can't reach it;
 * only the protocol can.
 */
export async function holdMarquees(open: OpenPage): Promise<void> {
  const isInMarquee = ({ shadowRootType }: DomNode, parent: DomNode) =>
    shadowRootType === 'user-agent' && parent.nodeName === 'MARQUEE';
  await useNodes(open, isInMarquee, async (node) => callOnNode(open, node, HOLD, 'ours'));
}

/** The browser's name for the part of a video's controls that shows the ring. */
const RING = '-internal-media-controls-loading-panel';
const HIDE = "function () { this.style.visibility = 'hidden' }";

/**
 * Hides the rings of videos whose file never arrives: they turn as long as it is loading. Neither a script nor a style
 * sheet can reach them, only the protocol can.
 */
export async function hideRings(open: OpenPage): Promise<void> {
  const isRing = ({ attributes = [] }: DomNode) => attributes.includes(RING);
  await useNodes(open, isRing, async (node) => callOnNode(open, node, HIDE, 'ours'));
}
