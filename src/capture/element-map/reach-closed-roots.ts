import { callOnNode, inDocument } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { OBSERVE_ROOT } from '../scripts/rest-script.ts';

const DOM_MS = 10_000;

/** A node as in the protocol. */
type DomNode = {
  backendNodeId: number;
  attributes?: string[];
  shadowRootType?: string;
  shadowRoots?: DomNode[];
  children?: DomNode[];
};

const KEEP_ROOT = 'function () { (globalThis.pixelgateClosed ??= new Set()).add(this); }';

/**
 * Calls `use` with each such node of the page, also within closed shadow roots and the parts that the browser makes.
 * @throws DocumentReplaced when the page navigated.
 */
export async function useNodes(
  open: OpenPage,
  isWanted: (node: DomNode) => boolean,
  use: (backendNodeId: number) => Promise<void>,
): Promise<void> {
  const { cdp, guard } = open;
  const late = 'The elements of the page could not be read in time';
  const reading = inDocument(open, async () => cdp.send('DOM.getDocument', { depth: -1, pierce: true }));
  const { root } = await guard.within(reading, DOM_MS, late);
  const nodes: DomNode[] = [root];
  for (const { shadowRoots = [], children = [] } of nodes) {
    for (const inner of [...shadowRoots, ...children]) nodes.push(inner);
  }
  for (const { backendNodeId } of nodes.filter(isWanted)) await use(backendNodeId);
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
  await useNodes(open, isClosed, async (node) => {
    await callOnNode(open, node, KEEP_ROOT, 'ours');
    await callOnNode(open, node, OBSERVE_ROOT, 'page');
  });
}
