import { callOnNode, inDocument } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { OBSERVE_ROOT } from '../scripts/rest-script.ts';

const DOM_MS = 10_000;

/** A node as in the protocol. */
type DomNode = {
  backendNodeId: number;
  shadowRootType?: string;
  shadowRoots?: DomNode[];
  children?: DomNode[];
};

const KEEP_ROOT = 'function () { (globalThis.pixelgateClosed ??= new Set()).add(this); }';

function findClosedRoots(node: DomNode): number[] {
  const found: number[] = [];
  const nodes = [node];
  for (const { backendNodeId, shadowRootType, shadowRoots = [], children = [] } of nodes) {
    if (shadowRootType === 'closed') found.push(backendNodeId);
    for (const inner of [...shadowRoots, ...children]) nodes.push(inner);
  }
  return found;
}

/**
 * Hands closed shadow roots that are declared in the page's HTML to our scripts: no script can reach or detect them.
 * The protocol reads all nodes for this, so it is only done if a page has to be at rest.
 * @throws DocumentReplaced when the page navigated.
 */
export async function reachClosedRoots(open: OpenPage): Promise<void> {
  const { cdp, guard } = open;
  const late = 'The elements of the page could not be read in time';
  const reading = inDocument(open, async () => cdp.send('DOM.getDocument', { depth: -1, pierce: true }));
  const { root } = await guard.within(reading, DOM_MS, late);
  for (const node of findClosedRoots(root)) {
    await callOnNode(open, node, KEEP_ROOT, 'ours');
    await callOnNode(open, node, OBSERVE_ROOT, 'page');
  }
  // Otherwise the protocol would report each later change of the page.
  await guard.race(cdp.send('DOM.disable'));
}
