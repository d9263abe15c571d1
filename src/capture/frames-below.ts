import { z } from 'zod';
import type { Patch } from '../compare/join-images.ts';
import type { Region } from '../elements/region.ts';
import { evaluateInPage } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';
import { wholeStep } from './screenshot-size.ts';

/*
 * Chromium draws a frame of another origin only while it is in the window, and leaves it empty elsewhere. So each is taken
 * by itself, with the whole page moved: nothing scrolls, and what is fixed moves along.
 */

const Areas = z.array(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }));

const PAGE_MS = 5000;

/** More are left as they are. */
const MAX_PATCHES = 40;

/** Also within frames of the page's own origin. Functions are passed as source text. */
function findFrames(root: Document | ShadowRoot, place: Pick<Region, 'x' | 'y'>): Region[] {
  const inside = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot === null ? [] : findFrames(shadowRoot, place),
  );
  const areas = [...root.querySelectorAll<HTMLIFrameElement | HTMLObjectElement>('iframe, object')].flatMap((frame) => {
    const { left, top } = frame.getBoundingClientRect();
    const { contentDocument, clientLeft, clientTop, clientWidth: width, clientHeight: height } = frame;
    const [x, y] = [place.x + left + clientLeft, place.y + top + clientTop];
    const isOut = width > 0 && height > 0 && (x + width > innerWidth || y + height > innerHeight);
    if (!isOut) return [];
    return contentDocument === null ? [{ x, y, width, height }] : findFrames(contentDocument, { x, y });
  });
  return [...inside, ...areas];
}

/** A style sheet of ours, which the page does not hear of. */
function movePage(right: number, down: number): void {
  const world: typeof globalThis & { pixelgateShift?: CSSStyleSheet } = globalThis;
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== world.pixelgateShift);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`html { translate: ${right}px ${down}px !important; transition: none !important }`);
  world.pixelgateShift = sheet;
  document.adoptedStyleSheets = right === 0 && down === 0 ? others : [...others, sheet];
}

/** In pieces of the window, on whole pixels. */
function cutUp(frame: Region, page: Region, window: Pick<Region, 'width' | 'height'>, step: number): Region[] {
  const down = (value: number) => Math.floor(value / step) * step;
  const [left, top] = [down(Math.max(0, frame.x)), down(Math.max(0, frame.y))];
  const up = (value: number) => Math.ceil(value / step) * step;
  const right = Math.min(down(page.width), up(frame.x + frame.width));
  const bottom = Math.min(down(page.height), up(frame.y + frame.height));
  const width = down(Math.min(right - left, window.width));
  if (width <= 0) return [];
  const pieces: Region[] = [];
  for (let y = top; y < bottom; y += down(window.height)) {
    const height = down(Math.min(bottom - y, window.height));
    if (height > 0) pieces.push({ x: left, y, width, height });
  }
  return pieces;
}

/**
 * Pictures of the frames of other origins that are outside of the window, and where they belong in that of the page.
 * @param page What is captured, CSS px.
 * @param take a picture of a part of the window
 */
export async function takeFramesBelow(
  open: OpenPage,
  window: { width: number; height: number; deviceScaleFactor: number },
  page: { width: number; height: number },
  take: (area: Region) => Promise<Buffer>,
): Promise<Patch[]> {
  const step = wholeStep(window.deviceScaleFactor);
  if (open.page.frames().length < 2 || step > Math.min(window.width, window.height)) return [];
  const evaluate = async (expression: string) => evaluateInPage(open, expression, PAGE_MS);
  const found = await evaluate(
    `(() => { ${String(findFrames)}\nreturn JSON.stringify(findFrames(document, { x: 0, y: 0 })); })()`,
  );
  const frames = Areas.parse(JSON.parse(z.string().parse(found)));
  const pieces = frames.flatMap((frame) => cutUp(frame, { x: 0, y: 0, ...page }, window, step));
  const patches: Patch[] = [];
  const move = async (right: number, down: number) => evaluate(`(${String(movePage)})(${right}, ${down})`);
  for (const { x, y, width, height } of pieces.slice(0, MAX_PATCHES)) {
    const right = x + width > window.width ? x : 0;
    await move(-right, -y);
    const image = await take({ x: x - right, y: 0, width, height });
    const scale = window.deviceScaleFactor;
    patches.push({ image, left: Math.round(x * scale), top: Math.round(y * scale) });
  }
  if (patches.length > 0) await move(0, 0);
  return patches;
}
