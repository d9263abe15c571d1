import { bufferOver } from '../png/image.ts';
import { compareImages, type CompareOptions, type Comparison } from './compare-images.ts';

/*
 * Entry of the thread that compares images, so that its process can answer meanwhile (compare-apart.ts).
 */

export type CompareTask = { baseline: Uint8Array; current: Uint8Array; options: CompareOptions };

export async function compare({ baseline, current, options }: CompareTask): Promise<Comparison> {
  return compareImages(bufferOver(baseline), bufferOver(current), options);
}
