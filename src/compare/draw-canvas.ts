import type { Band, Size } from '../png/image.ts';
import { drawStrip, type Scene, type Tally } from './draw-strip.ts';

/** A diff image before it is encoded: one byte for each pixel, a color of the palette. */
export type Drawing = Size & { bytes: Buffer };

/** Rows that are drawn at once. This limits the memory that a comparison needs besides both images and the drawing. */
const STRIP = 512;

function* stripsOf(height: number): Generator<Band> {
  for (let from = 0; from < height; from += STRIP) yield { from, to: Math.min(height, from + STRIP) };
}

/** Draws the whole canvas and counts what differs. */
export function drawCanvas(scene: Scene, threshold: number): Drawing & { tally: Tally } {
  const { width, height } = scene.layout;
  const bytes = Buffer.allocUnsafeSlow(width * height);
  const tally: Tally = { different: 0, ignored: 0, cells: 0 };
  for (const strip of stripsOf(height)) {
    const { different, ignored, cells } = drawStrip(
      scene,
      strip,
      threshold,
      bytes.subarray(strip.from * width, strip.to * width),
    );
    tally.different += different;
    tally.ignored += ignored;
    tally.cells += cells;
  }
  return { width, height, bytes, tally };
}

/** True when more than this many cells differ. Stops as soon as that is known. */
export function differsMore(scene: Scene, threshold: number, limit: number): boolean {
  const { width, height } = scene.layout;
  const bytes = Buffer.allocUnsafeSlow(width * Math.min(STRIP, height));
  let differing = 0;
  for (const strip of stripsOf(height)) {
    differing += drawStrip(scene, strip, threshold, bytes.subarray(0, (strip.to - strip.from) * width)).cells;
    if (differing > limit) return true;
  }
  return false;
}
