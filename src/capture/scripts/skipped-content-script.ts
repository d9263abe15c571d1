import { nextFrame, shownElements } from './freeze-script.ts';

/*
 * What is far from the window. Functions are passed as source text: each may only use what PARTS in `page-script.ts` lists.
 */

/** In a frame, what is far from the window is loaded as well. What is hidden is not. */
export function loadLazy(roots: (Document | ShadowRoot)[]): void {
  const lazy = shownElements(roots, 'img[loading=lazy i], iframe[loading=lazy i]');
  for (const element of lazy) element.setAttribute('loading', 'eager');
}

/**
 * Whether a style sheet may fix the background of a `::before` or `::after` to the window. Asking each element for the
 * styles of both would take many times as long. A variable may hold anything, and style sheets of another origin can't be
 * read.
 */
export function mayFixPseudo(roots: (Document | ShadowRoot)[]): boolean {
  const inRules = (rules: CSSRuleList): boolean =>
    [...rules].some((rule) => {
      if (rule instanceof CSSImportRule) return rule.styleSheet !== null && inSheet(rule.styleSheet);
      if (rule instanceof CSSStyleRule && [':before', ':after'].some((part) => rule.selectorText.includes(part))) {
        const { background, backgroundAttachment } = rule.style;
        if (backgroundAttachment.includes('fixed') || `${background}${backgroundAttachment}`.includes('var('))
          return true;
      }
      return (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) && inRules(rule.cssRules);
    });
  const inSheet = (sheet: CSSStyleSheet): boolean => {
    try {
      return inRules(sheet.cssRules);
    } catch {
      return true;
    }
  };
  return roots.some((root) => [...root.styleSheets, ...root.adoptedStyleSheets].some(inSheet));
}

/**
 * Draws what is only drawn near the window, and would be empty in a screenshot of the whole page: content that is skipped
 * (`content-visibility: auto`), and backgrounds that are fixed to the window, which become part of their elements. It uses
 * animations, because an attribute would change the page.
 * @param below what is below the window is captured
 * @returns whether an element is drawn as in {@link redrawLayers}
 */
export function drawSkippedContent(roots: (Document | ShadowRoot)[], below: boolean): boolean {
  let mayScale = false;
  const hold = (element: Element, property: string, value: string, pseudoElement: string | null = null) =>
    element.animate({ [property]: [value, value] }, { fill: 'both', pseudoElement });
  const pseudos = below && mayFixPseudo(roots) ? ['::before', '::after'] : [];
  for (const element of roots.flatMap((root) => [...root.querySelectorAll('*')])) {
    const { contentVisibility, backgroundAttachment, willChange } = getComputedStyle(element);
    mayScale ||= /transform|scale/.test(willChange);
    if (contentVisibility === 'auto') hold(element, 'contentVisibility', 'visible');
    if (!below) continue;
    const isFixed = (pseudo: string) => getComputedStyle(element, pseudo).backgroundAttachment.includes('fixed');
    const fixed = [...(backgroundAttachment.includes('fixed') ? [null] : []), ...pseudos.filter(isFixed)];
    if (fixed.length === 0 || element.getBoundingClientRect().bottom <= innerHeight) continue;
    for (const pseudo of fixed) hold(element, 'backgroundAttachment', 'scroll', pseudo);
  }
  return mayScale;
}

/**
 * What has a layer of its own, by `will-change: transform` or a transform in 3D, is drawn once, at the scale and the
 * fraction of a pixel of the first frame that happened to be drawn, and then only enlarged, reduced or moved. Hidden for
 * a moment, it is drawn again as it is now. Only what a script has transformed, and not what has the focus, which it
 * would lose.
 * @param mayScale an element has `will-change`
 */
export async function redrawLayers(roots: (Document | ShadowRoot)[], mayScale: boolean): Promise<void> {
  const TRANSFORMED = '[style*="transform:"], [style*="scale:"]';
  const IN_SPACE = '[style*="3d("][style*="."]';
  const layers = `:is(${mayScale ? TRANSFORMED : IN_SPACE}):not(:focus-within)`;
  if (!roots.some((root) => root.querySelector(layers) !== null)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${layers} { visibility: hidden !important; transition: none !important }`);
  for (const root of roots) root.adoptedStyleSheets.push(sheet);
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
}
