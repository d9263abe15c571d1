import { availableParallelism, totalmem } from 'node:os';
import pLimit from 'p-limit';
import { z } from 'zod';
import { joinImages, patchImage } from '../compare/join-images.ts';
import { readPngHeader } from '../png/codec.ts';
import type { Size } from '../png/image.ts';
import { formatNumber } from '../text/format.ts';
import { sha256Of } from '../text/sha256.ts';
import { BrowserFailed, CaptureError } from './browser/browser.ts';
import type { CaptureRequest, PageRules } from './browser/capture-request.ts';
import { evaluateInPage, innerFrames } from './evaluate-in-page.ts';
import { takeFramesBelow } from './frames-below.ts';
import type { Guard } from './guard.ts';
import type { OpenPage } from './open-page.ts';
import { fitScreenshot, LARGE_AREA, splitHeight } from './screenshot-size.ts';
import { coverExpression } from './scripts/mask-script.ts';

export type Screenshot = {
  png: Buffer;
  sha256: string;
  width: number;
  height: number;
  /** Selectors of the rules that match nothing. */
  unmatched: string[];
};

/** For each part. */
const SCREENSHOT_MS = 30_000;

const SIDES = [
  ['height', 'tall'],
  ['width', 'wide'],
] as const;

/** The area to capture, CSS px. It is cut to the maximum size of a screenshot. */
function chooseArea({ viewport, fullPage }: CaptureRequest, page: Size, { warnings }: OpenPage): Size {
  const whole = fullPage ? page : viewport;
  const area = fitScreenshot(whole, viewport.deviceScaleFactor);
  for (const [side, name] of SIDES) {
    if (area[side] === whole[side]) continue;
    const [all, shown] = [whole[side], area[side]].map(formatNumber);
    warnings.add('cut', `The page is ${all} px ${name}; only the first ${shown} px were captured.`);
  }
  return area;
}

type Clip = { x?: number; y: number; width: number; height: number };

/** Memory for each core with which two large parts are taken at a time, bytes. They take the browser up to 3 GB. */
const AMPLE_MEMORY = 3 * 1024 ** 3;
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
/** All captures of a worker thread take turns. */
const takeLarge = pLimit(memory < AMPLE_MEMORY * availableParallelism() ? 1 : 2);
/** How long a page may wait for its turn, ms. Its own limit does not include this wait. */
const TURN_MS = 600_000;

/** Calls `take` when its turn comes. @throws CaptureCancelled, and what `take` throws */
export async function inTurn<T>(guard: Guard, take: () => Promise<T>): Promise<T> {
  const asked = performance.now();
  guard.extend(TURN_MS);
  const taking = takeLarge(async () => {
    await guard.step();
    guard.extend(performance.now() - asked - TURN_MS);
    return take();
  });
  return guard.race(taking);
}

async function takePart(open: OpenPage, request: CaptureRequest, clip: Clip, beyond: boolean): Promise<Buffer> {
  const taking = open.cdp.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: beyond,
    clip: { x: 0, ...clip, scale: 1 },
  });
  const bound = Math.max(request.timeout, SCREENSHOT_MS);
  const { data } = await open.guard
    .within(taking, bound, 'The screenshot of the page could not be taken in time')
    .catch((error: unknown) => {
      // What another page draws may have held up this one.
      const isLate = error instanceof CaptureError && error.code === 'timeout';
      throw isLate ? new BrowserFailed(error.message, { code: 'timeout', cause: error }) : error;
    });
  return Buffer.from(data, 'base64');
}

/**
 * All parts show the same layout: fixed and sticky elements are where they are without scrolling, and so in one part
 * only.
 */
async function takeParts(open: OpenPage, request: CaptureRequest, { width, height }: Size): Promise<Buffer> {
  const { viewport } = request;
  const beyond = width > viewport.width || height > viewport.height;
  const parts: Buffer[] = [];
  for (const part of splitHeight({ width, height }, viewport.deviceScaleFactor, open.launched.inSoftware)) {
    if (parts.length > 0) {
      open.guard.extend(SCREENSHOT_MS);
      await open.guard.step();
    }
    const take = async () => takePart(open, request, { width, ...part }, beyond);
    const isLarge = width * part.height * viewport.deviceScaleFactor ** 2 > LARGE_AREA;
    parts.push(await (isLarge ? inTurn(open.guard, take) : take()));
  }
  const [first] = parts;
  const whole = first !== undefined && parts.length === 1 ? first : await joinImages(parts);
  const patches = beyond
    ? await takeFramesBelow(open, viewport, { width, height }, async (area) => takePart(open, request, area, false))
    : [];
  return patches.length === 0 ? whole : patchImage(whole, patches);
}

/**
 * One PNG of the page, with the same pixels as Playwright's `page.screenshot`. Fast compression makes it 1.4 times as
 * large in half the time.
 */
export async function takeScreenshot(open: OpenPage, request: CaptureRequest, page: Size): Promise<Screenshot> {
  const unmatched = await coverMasks(open, request.rules);
  const png = await takeParts(open, request, chooseArea(request, page, open));
  const size = readPngHeader(png);
  if (size === null) throw new Error('The browser returned a screenshot that is not a PNG');
  return { png, sha256: sha256Of(png), ...size, unmatched };
}

const COVER_MS = 5000;

const Matched = z.array(z.string());

/** The selectors that match in frames. A frame that does not respond has no matches. */
async function coverFrames({ page, guard }: OpenPage, expression: string): Promise<string[]> {
  const answers = Promise.all(
    innerFrames(page).map(async (frame) => {
      const answer: unknown = await frame.evaluate(expression).catch(() => []);
      return Matched.catch([]).parse(answer);
    }),
  );
  return (await guard.settles(answers, COVER_MS)) ? (await answers).flat() : [];
}

/**
 * Covers masked elements in the page and its frames. @returns the selectors of the rules that match nothing on the
 * current page.
 */
async function coverMasks(open: OpenPage, { hide, remove, mask, ignore }: PageRules): Promise<string[]> {
  const selectors = [...new Set([...hide, ...remove, ...mask, ...ignore])];
  if (selectors.length === 0) return [];
  const expression = coverExpression(mask, selectors);
  const [answer, inFrames] = await Promise.all([
    evaluateInPage(open, expression, COVER_MS),
    coverFrames(open, expression),
  ]);
  const matched = new Set([...Matched.parse(answer), ...inFrames]);
  return selectors.filter((selector) => !matched.has(selector));
}
