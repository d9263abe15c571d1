import { formatNumber } from '../../text/format.ts';
import { CaptureError } from '../browser/browser.ts';
import { evaluateInPage, unlessReplaced } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';

const COUNT_MS = 5000;

/**
 * The browser sends a page's elements in one message, which Playwright puts together at the expense of all pages of the
 * thread: 28 MB of 60,000 nodes took 2 s of processor time, and ten times as much takes a hundred times as long. One of
 * over 512 MB would end the thread, because no string can hold it.
 */
const MAX_NODES = 150_000;
/** Of texts and attributes. */
const MAX_CHARACTERS = 50_000_000;

const HUGE = `The page is too large to be read: it has more than ${formatNumber(MAX_NODES)} elements and texts, or more than ${formatNumber(MAX_CHARACTERS)} characters`;

/** The shadow root of an element, and the document of a frame if scripts can reach it. */
function rootsIn(element: Element, view: Window & typeof globalThis): Node[] {
  const document = element instanceof view.HTMLIFrameElement ? element.contentDocument : null;
  return [element.shadowRoot, document].filter((root) => root !== null);
}

/** Counts in all of these. Runs in the page. */
function isHuge(mostNodes: number, mostCharacters: number): boolean {
  const world: typeof globalThis & { pixelgateClosed?: Set<ShadowRoot> } = globalThis;
  const roots: Node[] = [document, ...(world.pixelgateClosed ?? [])];
  let [nodes, characters] = [0, 0];
  for (const root of roots) {
    const walker = document.createTreeWalker(root);
    for (let node: Node | null = root; node !== null; node = walker.nextNode()) {
      nodes += 1;
      characters += node.nodeValue?.length ?? 0;
      const view = node.ownerDocument?.defaultView ?? window;
      if (node instanceof view.Element) {
        for (const { value } of node.attributes) characters += value.length;
        roots.push(...rootsIn(node, view));
      }
      if (nodes > mostNodes || characters > mostCharacters) return true;
    }
  }
  return false;
}

const HUGE_EXPRESSION = `(() => { ${[rootsIn, isHuge].join('\n')}
  return isHuge(${MAX_NODES}, ${MAX_CHARACTERS}); })()`;

/**
 * Call it before the browser is asked for all elements. A document that was replaced meanwhile is left to what asks.
 * @throws CaptureError
 */
export async function refuseHugePage(open: OpenPage): Promise<void> {
  const answer = await unlessReplaced(evaluateInPage(open, HUGE_EXPRESSION, COUNT_MS));
  if (answer?.value === true) throw new CaptureError(HUGE);
}
