import { callOnNode, inDocument } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { OBSERVE_ROOT } from '../scripts/rest-script.ts';
import { refuseHugePage } from './refuse-huge-page.ts';

const DOM_MS = 10_000;

/** A node as in the protocol. */
export type DomNode = {
  backendNodeId: number;
  nodeName: string;
  attributes?: string[];
  shadowRootType?: string;
  shadowRoots?: DomNode[];
  children?: DomNode[];
  /** Of a frame. */
  contentDocument?: DomNode;
};

/** A node, and the world in which our scripts run there: in frames, that of the page. */
type Place = { node: DomNode; parent: DomNode; world: 'page' | 'ours' };

const KEEP_ROOT = 'function () { (globalThis.pixelgateClosed ??= new Set()).add(this); }';

/**
 * Calls `use` with each wanted node of the page, also within closed shadow roots, the parts that the browser makes, and
 * frames of the page's own site.
 * @throws CaptureError when the page is too large, DocumentReplaced when the page navigated.
 */
export async function useNodes(
  open: OpenPage,
  isWanted: (node: DomNode, parent: DomNode) => boolean,
  use: (backendNodeId: number, world: Place['world']) => Promise<void>,
): Promise<void> {
  const { cdp, guard } = open;
  const late = 'The elements of the page could not be read in time';
  await refuseHugePage(open);
  const reading = inDocument(open, async () => cdp.send('DOM.getDocument', { depth: -1, pierce: true }));
  const { root } = await guard.within(reading, DOM_MS, late);
  const places: Place[] = [{ node: root, parent: root, world: 'ours' }];
  for (const { node: parent, world } of places) {
    const { shadowRoots = [], children = [], contentDocument } = parent;
    for (const node of [...shadowRoots, ...children]) places.push({ node, parent, world });
    if (contentDocument !== undefined) places.push({ node: contentDocument, parent, world: 'page' });
  }
  for (const { node, parent, world } of places) if (isWanted(node, parent)) await use(node.backendNodeId, world);
  // Otherwise the protocol would report each later change of the page.
  await guard.race(cdp.send('DOM.disable'));
}

/**
 * Hands closed shadow roots that are declared in the page's HTML to our scripts: no script can reach or detect them.
 * The protocol reads all nodes for this, so it is only done if a page has to be at rest.
 * @throws DocumentReplaced when the page navigated.
 */
export async function reachClosedRoots(open: OpenPage): Promise<void> {
  const isClosed = ({ shadowRootType }: DomNode) => shadowRootType === 'closed';
  await useNodes(open, isClosed, async (node, world) => {
    await callOnNode(open, node, KEEP_ROOT, world);
    await callOnNode(open, node, OBSERVE_ROOT, 'page');
  });
}
