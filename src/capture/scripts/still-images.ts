import { z } from 'zod';
import { evaluateInPage } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { settlesWithin, treeRoots } from './freeze-script.ts';
import { holdSvgEnds, SVG_ENDS } from './svg-ends-script.ts';

/*
 * Ends the animations of SVG images. No browser setting stops those of their own style sheets, others would be shown at their
 * start, and no script can reach into an image, so each is replaced by a copy in which every animation has ended.
 */

const READ_MS = 5000;
const DRAW_MS = 3000;
const MAX_IMAGES = 100;

/** Declarations that end every animation and transition. */
export const ENDED =
  'animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important; transition: none !important;';
const ENDED_SVG = `<style>*, *::before, *::after { ${ENDED} }</style>`;

/** A copy whose styles don't move; null for an image that has no animation that ends, and no style that may move. */
function stillCopy(svg: string): string | null {
  const end = svg.lastIndexOf('</svg');
  return end === -1 || !/\banimation\b|\bfreeze\b|<set\b/.test(svg)
    ? null
    : svg.slice(0, end) + ENDED_SVG + svg.slice(end);
}

/** The data URL of an image whose animations have ended. A policy of the page may not let it be parsed. */
function endImage(svg: string): string {
  let text = svg;
  try {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
    if (parsed.querySelector('parsererror') === null && parsed.querySelector('[fill=freeze], set') !== null) {
      holdSvgEnds(parsed.documentElement);
      text = new XMLSerializer().serializeToString(parsed);
    }
  } catch {}
  return `data:image/svg+xml,${encodeURIComponent(text)}`;
}

/** The text of `data:image/svg+xml,…`. */
function decodeDataUrl(url: string): string | null {
  const [, parameters = '', data = ''] = /^data:image\/svg\+xml([^,]*),(.*)$/is.exec(url) ?? [];
  if (data === '') return null;
  if (/;base64$/i.test(parameters)) return Buffer.from(data, 'base64').toString();
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

/** The properties that show an image. */
const STYLES = ['backgroundImage', 'maskImage', 'borderImageSource', 'listStyleImage', 'content'];

/** Calls `see` with each address in a style that may show an image, and replaces the address by the result. */
function visitStyles(
  roots: (Document | ShadowRoot)[],
  styles: string[],
  see: (url: string) => string | undefined,
  replace: (element: Element, pseudo: string | null, style: string, value: string) => void,
): void {
  for (const element of roots.flatMap((root) => [...root.querySelectorAll('*')])) {
    for (const pseudo of [null, '::before', '::after']) {
      const computed = getComputedStyle(element, pseudo);
      for (const style of styles) {
        const value = String(Reflect.get(computed, style));
        const seen = value.replace(/url\("((?:[^"\\]|\\.)*)"\)/g, (whole, url: string) => {
          const other = see(url.replace(/\\(.)/g, '$1'));
          return other === undefined ? whole : `url("${other}")`;
        });
        if (seen !== value) replace(element, pseudo, style, seen);
      }
    }
  }
}

/** Whether the page contains such an address. Searching its text takes a tenth of the time of reading its styles. */
function isWritten(roots: (Document | ShadowRoot)[], text: string): boolean {
  const inSheet = (sheet: CSSStyleSheet): boolean => {
    try {
      return [...sheet.cssRules].some((rule) =>
        rule instanceof CSSImportRule
          ? rule.styleSheet !== null && inSheet(rule.styleSheet)
          : rule.cssText.includes(text),
      );
    } catch {
      // A style sheet of another origin can't be read.
      return true;
    }
  };
  return roots.some((root) => {
    const html = root instanceof Document ? root.documentElement.outerHTML : root.innerHTML;
    return html.includes(text) || [...root.styleSheets, ...root.adoptedStyleSheets].some(inSheet);
  });
}

/** SVG images in data URLs in the page itself. Functions are passed as source text. */
function findDataUrls(roots: (Document | ShadowRoot)[], styles: string[]): string[] {
  const type = 'data:image/svg+xml';
  if (!isWritten(roots, type)) return [];
  const found = new Set<string>();
  for (const image of roots.flatMap((root) => [...root.querySelectorAll('img')])) found.add(image.currentSrc);
  const see = (url: string) => {
    found.add(url);
    return undefined;
  };
  visitStyles(roots, styles, see, () => undefined);
  return [...found].filter((url) => url.startsWith(type));
}

/**
 * Uses animations, because an attribute would change the page. Only an important style needs an attribute. Copies that may not
 * be loaded are not used.
 */
async function showCopies(
  roots: (Document | ShadowRoot)[],
  styles: string[],
  copies: [string, string][],
  bound: number,
): Promise<void> {
  const usable = new Map<string, string>();
  const loads = copies.map(async ([url, svg]) => {
    const image = new Image();
    const copy = endImage(svg);
    image.src = copy;
    await image.decode();
    usable.set(url, copy);
  });
  await settlesWithin(Promise.allSettled(loads), bound);
  // The browser requests an address without its fragment, which names the part of the image that is shown.
  const copyOf = (url: string) => {
    const [address = '', part] = url.split('#', 2);
    const copy = usable.get(url) ?? usable.get(address);
    return copy === undefined || part === undefined || url.startsWith('data:') ? copy : `${copy}#${part}`;
  };
  const hold = (element: Element, pseudoElement: string | null, property: string, value: string) => {
    element.animate({ [property]: [value, value] }, { fill: 'both', pseudoElement });
    if (pseudoElement !== null || !(element instanceof HTMLElement)) return;
    const isHeld = String(Reflect.get(getComputedStyle(element), property)) === value;
    if (!isHeld) element.style.setProperty(property.replace(/[A-Z]/g, '-$&'), value, 'important');
  };
  for (const image of roots.flatMap((root) => [...root.querySelectorAll('img')])) {
    const copy = copyOf(image.currentSrc);
    if (copy !== undefined) hold(image, null, 'content', `url("${copy}")`);
  }
  visitStyles(roots, styles, copyOf, hold);
}

const PARTS = [treeRoots, settlesWithin, visitStyles, isWritten, findDataUrls, SVG_ENDS, endImage, showCopies].join(
  '\n',
);
const FIND = `(() => { ${PARTS}\nreturn findDataUrls(treeRoots(), ${JSON.stringify(STYLES)}); })()`;

/** @returns whether there were any. @throws DocumentReplaced when the page navigated. */
export async function stillImages(open: OpenPage): Promise<boolean> {
  const loaded = await open.guard.race(open.pictures.readSvgs(MAX_IMAGES));
  const written = z.array(z.string()).parse(await evaluateInPage(open, FIND, READ_MS));
  const images = [...loaded, ...written.slice(0, MAX_IMAGES).map((url) => [url, decodeDataUrl(url) ?? ''] as const)];
  const copies = images.flatMap(([url, svg]) => {
    const copy = stillCopy(svg);
    return copy === null ? [] : [[url, copy]];
  });
  if (copies.length === 0) return false;
  const show = `showCopies(treeRoots(), ${JSON.stringify(STYLES)}, ${JSON.stringify(copies)}, ${DRAW_MS})`;
  await evaluateInPage(open, `(() => { ${PARTS}\nreturn ${show}; })()`, DRAW_MS + READ_MS);
  return true;
}
