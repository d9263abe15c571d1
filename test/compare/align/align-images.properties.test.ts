import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alignImages } from '../../../src/compare/align/align-images.ts';
import { compareImages } from '../../../src/compare/compare-images.ts';
import type { Image } from '../../../src/png/image.ts';
import { runs } from '../../support/property-runs.ts';
import { copyImage, toPng } from '../random-images.ts';
import { randomBlocks, stackImages, textBlock } from './random-page.ts';

const WIDTH = 40;
/** In px: two lines of text and the white below. */
const BLOCK = 32;
const BLOCKS = 12;

const seed = fc.integer({ min: 1, max: 1_000_000 });
/**
 * Before which blocks others are put in, each place once. None at the end: where hardly anything moves, lining up is not
 * worth it and the pictures are compared as they lie.
 */
const places = fc.uniqueArray(fc.integer({ min: 0, max: BLOCKS - 1 }), { minLength: 1, maxLength: 3 });

const compare = (one: Image, other: Image) => compareImages(toPng(one), toPng(other), { threshold: 0 });

describe('the alignment of any page', () => {
  it('with itself moves nothing and finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(seed, fc.integer({ min: 1, max: BLOCKS }), async (start, count) => {
        const page = stackImages(randomBlocks(start, count, WIDTH).blocks);
        expect(alignImages(page, copyImage(page))).toBeNull();
        expect(await compare(page, page)).toMatchObject({ differentPixels: 0, regions: [], moves: [] });
      }),
      runs(20),
    );
  });

  it('finds the blocks that were put in and nothing else, and counts the same when they are taken out', async () => {
    await fc.assert(
      fc.asyncProperty(seed, places, async (start, at) => {
        const { blocks, random } = randomBlocks(start, BLOCKS, WIDTH);
        const longer = Array.from({ length: BLOCKS + 1 }, (_, place) => [
          ...(at.includes(place) ? [textBlock(random, WIDTH)] : []),
          ...blocks.slice(place, place + 1),
        ]).flat();
        const [page, grown] = [stackImages(blocks), stackImages(longer)];
        const expected = { differentPixels: at.length * BLOCK * WIDTH, height: grown.height };
        expect(await compare(page, grown)).toMatchObject(expected);
        expect(await compare(grown, page)).toMatchObject(expected);
      }),
      runs(30),
    );
  });
});
