import type { Size } from '../png/image.ts';

/** The largest viewport, CSS px. */
export const MAX_VIEWPORT = { width: 4096, height: 16_384 } as const;

/**
 * The largest screenshot: `width` in CSS px, the rest in pixels of the image. A wide one is shorter, because `area`
 * bounds the memory of comparisons: 512 MiB for each image.
 */
export const MAX_SCREENSHOT = { width: 4096, height: 65_536, area: 2048 * 65_536 } as const;

/** In pixels of the image. A texture can't be taller. */
const MAX_TEXTURE = 16_384;
/** Without textures, the most pixels of a part: 340 MB as base64, if nothing in it can be compressed. */
const MAX_PART_AREA = 1280 * 65_536;
/** Parts with more pixels are large: one of `MAX_PART_AREA` takes the browser more than 1 GB. */
export const LARGE_AREA = 1280 * MAX_TEXTURE;

/** How much of a page fits into a screenshot, CSS px. */
export function fitScreenshot(page: Size, deviceScaleFactor: number): Size {
  const width = Math.min(page.width, MAX_SCREENSHOT.width);
  const pixels = Math.min(MAX_SCREENSHOT.height, MAX_SCREENSHOT.area / (width * deviceScaleFactor));
  return { width, height: Math.min(page.height, Math.floor(pixels / deviceScaleFactor)) };
}

/** The smallest number of CSS px that are a whole number of pixels. Factors have at most three decimals. */
export function wholeStep(deviceScaleFactor: number): number {
  for (let step = 1; step < 1000; step += 1) {
    const pixels = step * deviceScaleFactor;
    if (Math.abs(pixels - Math.round(pixels)) < 1e-9) return step;
  }
  return 1000;
}

/**
 * The parts in which a screenshot is taken, from the top, CSS px. Each starts on a whole pixel, so they meet.
 * @param inSoftware the browser composes pages without textures
 */
export function splitHeight(
  { width, height }: Size,
  deviceScaleFactor: number,
  inSoftware: boolean,
): { y: number; height: number }[] {
  const tallest = inSoftware ? MAX_PART_AREA / (width * deviceScaleFactor) : MAX_TEXTURE;
  const most = tallest / deviceScaleFactor;
  if (height <= most) return [{ y: 0, height }];
  const step = wholeStep(deviceScaleFactor);
  const part = Math.floor(most / step) * step;
  return Array.from({ length: Math.ceil(height / part) }, (_, index) => ({
    y: index * part,
    height: Math.min(part, height - index * part),
  }));
}
