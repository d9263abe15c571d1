import { useNodes } from './element-map/reach-closed-roots.ts';
import { callOnNode } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';

/** The browser's name for the part of a video's controls that shows the ring. */
const RING = '-internal-media-controls-loading-panel';
const HIDE = "function () { this.style.visibility = 'hidden' }";

/**
 * Hides the rings of videos whose file never arrives: they turn as long as it is loading. Neither a script nor a style
 * sheet can reach them, only the protocol can.
 */
export async function hideRings(open: OpenPage): Promise<void> {
  const isRing = ({ attributes = [] }: { attributes?: string[] }) => attributes.includes(RING);
  await useNodes(open, isRing, async (node) => callOnNode(open, node, HIDE, 'ours'));
}
