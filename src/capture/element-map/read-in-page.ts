import { z } from 'zod';
import { SET_NAMES } from '../../elements/element-styles.ts';
import { evaluateInPage } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { MASK_TAG } from '../scripts/mask-script.ts';

/*
 * What the browser's snapshot does not tell, read by a script in our isolated world: styles as they are set, what
 * canvases and videos show, and the state of what has no elements of its own. Functions are passed as source text.
 */

const READ_MS = 5000;

/** With more elements, nothing is read. A page with 5,000 elements takes 50 ms. */
const MAX_ELEMENTS = 20_000;

/** Maximum for all canvases and videos together, px. It takes half a second. */
const MAX_DRAWN = 16_000_000;

/**
 * Elements with their parents before them, and siblings in order. As in the snapshot, the content of a shadow root is
 * in its host, and slotted content in its slot. The document of a frame is in its `iframe`, if scripts can reach it.
 */
const PageReading = z.object({
  /** Distinct values of SET_NAMES. */
  sets: z.array(z.array(z.string())),
  tags: z.array(z.string()),
  /** -1 for the root. */
  parents: z.array(z.number()),
  /** Their index in `sets`. */
  places: z.array(z.number()),
  /**
   * A hash of what a canvas or a video has drawn, whatever is behind it; how a field is drawn; the styles of what an `svg`
   * refers to. '' for other elements, null where it cannot be read.
   */
  drawn: z.array(z.string().nullable()),
});
export type PageReading = z.infer<typeof PageReading>;

function hashDrawing(element: Element, budget: { left: number }): string | null {
  const view = element.ownerDocument.defaultView ?? window;
  const isVideo = element instanceof view.HTMLVideoElement;
  if (!isVideo && !(element instanceof view.HTMLCanvasElement)) return '';
  if (isVideo && element.videoWidth === 0) return '';
  const canvas = isVideo ? document.createElement('canvas') : element;
  if (isVideo) [canvas.width, canvas.height] = [element.videoWidth, element.videoHeight];
  budget.left -= canvas.width * canvas.height;
  // A canvas with another kind of context may no longer have its pixels.
  const context = budget.left < 0 ? null : canvas.getContext('2d');
  if (context === null) return null;
  if (isVideo) context.drawImage(element, 0, 0);
  const url = canvas.toDataURL();
  let [one, other] = [1, 2];
  for (let at = 0; at < url.length; at += 1) {
    one = Math.imul(one ^ url.charCodeAt(at), 2_654_435_761);
    other = Math.imul(other ^ url.charCodeAt(at), 1_597_334_677);
  }
  return [one, other].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Where it is scrolled to, and the parts of a field that only style sheets can reach. */
function describeState(element: Element): string {
  const { localName, scrollLeft, scrollTop } = element;
  const styles = ['color', 'background-color', 'font-style', 'font-weight', 'opacity', 'border-color', 'border-radius'];
  const read = (part: string) => {
    const { color } = getComputedStyle(element);
    const computed = getComputedStyle(element, part);
    return styles.map((name) => computed.getPropertyValue(name).replace(color, 'own')).join();
  };
  const isScrolled = element !== document.documentElement && (scrollLeft !== 0 || scrollTop !== 0);
  const state = isScrolled ? [`at ${Math.round(scrollLeft)} ${Math.round(scrollTop)}`] : [];
  if (localName === 'textarea' || localName === 'input') {
    if (element.matches(':placeholder-shown')) state.push(read('::placeholder'));
    if (element.matches('[type=checkbox]:indeterminate')) state.push('indeterminate');
    if (element.matches('[type=file]')) state.push(read('::file-selector-button'));
  }
  return state.join(' ');
}

/** Of what an `svg` draws only by reference, such as a gradient. */
function describeReferred(element: Element): string {
  if (element.closest('defs, symbol, pattern, marker, mask, clipPath, filter, stop') === null) return '';
  const styles = element.computedStyleMap();
  const color = String(styles.get('color'));
  const names = ['fill', 'stroke', 'stop-color', 'stop-opacity', 'flood-color', 'opacity', 'stroke-width', 'display'];
  return names.map((name) => String(styles.get(name)).replace(color, 'own')).join();
}

/** Null when it comes from another origin. */
function hashIfReadable(element: Element, budget: { left: number }): string | null {
  try {
    const view = element.ownerDocument.defaultView ?? window;
    if (element instanceof view.SVGElement) return describeReferred(element);
    const drawn = hashDrawing(element, budget);
    return drawn === '' ? describeState(element) : drawn;
  } catch {
    return null;
  }
}

function childrenOf(element: Element, roots: Map<Element, ShadowRoot>): Element[] {
  const view = element.ownerDocument.defaultView ?? window;
  if (element instanceof view.HTMLIFrameElement) {
    const root = element.contentDocument?.documentElement ?? null;
    return root === null ? [] : [root];
  }
  const root = element.shadowRoot ?? roots.get(element);
  if (root !== undefined) return [...root.children];
  const given = element instanceof view.HTMLSlotElement ? element.assignedElements() : [];
  return given.length > 0 ? given : [...element.children];
}

function readElements(names: string[], most: number, drawable: number, mask: string): PageReading {
  const world: typeof globalThis & { pixelgateClosed?: Set<ShadowRoot> } = globalThis;
  const roots = new Map([...(world.pixelgateClosed ?? [])].map((root) => [root.host, root]));
  const known = new Map<string, number>();
  const budget = { left: drawable };
  const reading: PageReading = { sets: [], tags: [], parents: [], places: [], drawn: [] };
  const found = [...document.children].map((element) => ({ element, parent: -1 }));
  for (const [index, { element, parent }] of found.entries()) {
    const styles = element.computedStyleMap();
    const values = names.map((name) => String(styles.get(name) ?? ''));
    const key = values.join(';');
    const place = known.get(key) ?? reading.sets.push(values) - 1;
    known.set(key, place);
    reading.tags.push(element.localName.toLowerCase());
    reading.parents.push(parent);
    reading.places.push(place);
    reading.drawn.push(hashIfReadable(element, budget));
    const children = found.length > most ? [] : childrenOf(element, roots);
    for (const child of children) if (child.localName !== mask) found.push({ element: child, parent: index });
  }
  return reading;
}

const PARTS = [hashDrawing, describeState, describeReferred, hashIfReadable, childrenOf, readElements].join('\n');

/** @throws DocumentReplaced when the page navigated. */
export async function readInPage(open: OpenPage): Promise<PageReading> {
  const read = `readElements(${JSON.stringify(SET_NAMES)}, ${MAX_ELEMENTS}, ${MAX_DRAWN}, ${JSON.stringify(MASK_TAG)})`;
  const json = await evaluateInPage(open, `(() => { ${PARTS}\nreturn JSON.stringify(${read}); })()`, READ_MS);
  return PageReading.parse(JSON.parse(z.string().parse(json)));
}
