/* Runs inside the page, like `page-script.ts`. All sizes are in px. */

/**
 * Measured as Playwright measures a full page, so screenshots have the same size. A document that is not HTML, such as
 * an SVG, has no size of its own: it gets the size of the viewport.
 */
export function pageSize(): { width: number; height: number } {
  const parts = [document.documentElement, document.body].filter((part) => part !== null);
  const most = (measure: (part: HTMLElement) => number) => Math.max(0, ...parts.map((part) => measure(part) || 0));
  return {
    width: most((part) => Math.max(part.scrollWidth, part.offsetWidth, part.clientWidth)) || innerWidth,
    height: most((part) => Math.max(part.scrollHeight, part.offsetHeight, part.clientHeight)) || innerHeight,
  };
}

/**
 * Lets a body that scrolls instead of the page overflow it, so that what is below the window is drawn. The page does not
 * notice the style sheet for this.
 */
export function openBody(): void {
  const world: typeof globalThis & { pixelgateBody?: CSSStyleSheet } = globalThis;
  if (world.pixelgateBody !== undefined) world.pixelgateBody.disabled = true;
  if (document.body === null) return;
  const { overflowX, overflowY, display } = getComputedStyle(document.body);
  // If the root element has no style of its own, the window scrolls by that of the body.
  const mayScroll = /auto|scroll/.test(overflowY) && getComputedStyle(document.documentElement).overflowY !== 'visible';
  if (!mayScroll || document.body.scrollHeight <= document.body.clientHeight) return;
  const sheet = (world.pixelgateBody ??= new CSSStyleSheet());
  const kept = display === 'block' ? 'flow-root' : display;
  const across = overflowX === 'hidden' ? 'clip' : 'visible';
  sheet.replaceSync(`body { overflow: ${across} visible !important; display: ${kept} !important }`);
  sheet.disabled = false;
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
}

/**
 * In apps, an element in the middle of the window often scrolls instead of the page. How much of it is below its edge. 0:
 * there is no such element.
 */
export function heightBelow(): number {
  let below = 0;
  let around = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  for (; around !== null && around !== document.body; around = around.parentElement) {
    const { clientHeight, scrollHeight } = around;
    const scrolls = /auto|scroll/.test(getComputedStyle(around).overflowY);
    if (scrolls && clientHeight > innerHeight / 2) below = Math.max(below, scrollHeight - clientHeight);
  }
  return below;
}

/** The height of the whole page, px. */
export const HEIGHT_EXPRESSION = `(() => { ${pageSize.toString()}\nreturn pageSize().height; })()`;
