import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { alignImages } from '../../../src/compare/align/align-images.ts';
import { compareImages } from '../../../src/compare/compare-images.ts';
import { topIn, type Layout, type Piece } from '../../../src/compare/layout.ts';
import type { Image } from '../../../src/png/image.ts';
import { blankImage, copyImage, fillBox, randomNumbers, toPng } from '../random-images.ts';
import { placeBeside, randomBlocks, stackImages, textBlock } from './random-page.ts';

const compare = (one: Image, other: Image, options: { alignment?: boolean; threshold?: number } = {}) =>
  compareImages(toPng(one), toPng(other), { threshold: 0, ...options });

/** How often each pixel of the image is on the canvas. */
function timesPlaced({ pieces }: Layout, side: 'baseline' | 'current', { width, height }: Image): Set<number> {
  const times = new Uint8Array(width * height);
  for (const piece of pieces) {
    const top = topIn(piece, side) ?? 0;
    const rows = topIn(piece, side) === null ? 0 : piece.height;
    for (let row = 0; row < rows; row += 1) {
      for (let x = piece.x; x < piece.x + piece.width; x += 1) {
        times[(top + row) * width + x] = (times[(top + row) * width + x] ?? 0) + 1;
      }
    }
  }
  return new Set(times);
}

function isDisjoint({ width, height, pieces }: Layout): boolean {
  const taken = new Uint8Array(width * height);
  return pieces.every((piece) => {
    for (let y = piece.y; y < piece.y + piece.height; y += 1) {
      for (let x = piece.x; x < piece.x + piece.width; x += 1) {
        if (taken[y * width + x] === 1 || x >= width || y >= height) return false;
        taken[y * width + x] = 1;
      }
    }
    return true;
  });
}

/** Two pieces that could be one: the other goes on where the one ends, on the canvas and in both images. */
const areOne = (one: Piece, other: Piece) =>
  one.x === other.x &&
  one.width === other.width &&
  one.filler === other.filler &&
  [
    [one.y, other.y],
    [one.baselineY, other.baselineY],
    [one.currentY, other.currentY],
  ].every(([from = null, to = null]) => (from === null ? to === null : from + one.height === to));

/** The squares of 16 px in which something is red. */
function countCells(diffImage: Buffer | null): number {
  if (diffImage === null) return 0;
  const { width, data } = PNG.sync.read(diffImage);
  const cells = new Set<string>();
  for (let at = 0; at < data.length; at += 4) {
    if (data.readUIntBE(at, 3) !== 0xff0000) continue;
    cells.add(`${Math.floor(((at / 4) % width) / 16)}, ${Math.floor(at / 4 / width / 16)}`);
  }
  return cells.size;
}

/** True when a row of the image looks like the one above or below it. */
function goesOn({ width, height, pixels }: Image, x: number, columns: number, row: number): boolean {
  const part = (y: number) => pixels.subarray((y * width + x) * 4, (y * width + x + columns) * 4);
  return [row - 1, row + 1].some((beside) => beside >= 0 && beside < height && part(beside).equals(part(row)));
}

/** Filler is no difference, so nothing may be drawn on it. */
function isBlankFiller(piece: Piece, one: Image, other: Image): boolean {
  const [image, top] = piece.baselineY === null ? [other, piece.currentY] : [one, piece.baselineY];
  return Array.from({ length: piece.height }, (_, row) => row + (top ?? 0)).every((row) =>
    goesOn(image, piece.x, piece.width, row),
  );
}

/** What makes an alignment wrong, whatever the images are. */
async function faultsOf(one: Image, other: Image, threshold = 0): Promise<string[]> {
  const faults: string[] = [];
  const layout = alignImages(one, other);
  if (layout !== null) {
    if ([...timesPlaced(layout, 'baseline', one)].join() !== '1') faults.push('baseline is not on the canvas once');
    if ([...timesPlaced(layout, 'current', other)].join() !== '1') faults.push('current is not on the canvas once');
    if (!isDisjoint(layout)) faults.push('pieces overlap');
    const filler = layout.pieces.filter((piece) => piece.filler);
    if (!filler.every((piece) => isBlankFiller(piece, one, other))) faults.push('something is drawn on filler');
    const shared = layout.pieces.filter(({ x }) => x < Math.min(one.width, other.width));
    if (shared.some((piece) => shared.some((next) => areOne(piece, next)))) faults.push('two pieces could be one');
    const inOrder = shared.toSorted((piece, next) => piece.y - next.y || piece.x - next.x);
    if (shared.some((piece, at) => piece !== inOrder[at])) faults.push('pieces are not in order');
  }
  const plain = await compare(one, other, { alignment: false, threshold });
  const aligned = await compare(one, other, { threshold });
  if (countCells(aligned.diffImage) > countCells(plain.diffImage)) faults.push('worse than plain');
  if ((aligned.differentPixels === 0) !== (plain.differentPixels === 0)) faults.push('lost the difference');
  if (aligned.diffImage === null) return faults;
  const { width, data } = PNG.sync.read(aligned.diffImage);
  let red = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data.readUIntBE(at, 3) !== 0xff0000) continue;
    red += 1;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    const isInside = aligned.regions.some((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
    if (!isInside) faults.push(`no region at ${x}, ${y}`);
  }
  if (red !== aligned.differentPixels) faults.push('the diff image counts otherwise');
  return faults;
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe('alignment of random changes', () => {
  it('places every pixel once, is never worse than none, and leaves no difference without a region', async () => {
    for (const seed of seeds) {
      const { blocks, random } = randomBlocks(seed, 12, 40);
      const changed = [...blocks];
      for (let change = 0; change < 4; change += 1) {
        const at = Math.floor(random() * changed.length);
        const kind = Math.floor(random() * 4);
        if (kind === 0) changed.splice(at, 0, textBlock(random, 40));
        if (kind === 1) changed.splice(at, 1);
        if (kind === 2) changed.splice(Math.floor(random() * changed.length), 0, ...changed.splice(at, 1));
        if (kind === 3) changed[at] = textBlock(random, 40, { lines: 1 + Math.floor(random() * 4) });
      }
      expect({ seed, faults: await faultsOf(stackImages(blocks), stackImages(changed)) }).toEqual({ seed, faults: [] });
    }
  });

  it('does so for noise, for columns, for other widths, and with a threshold', async () => {
    for (const seed of seeds) {
      const random = randomNumbers(seed);
      const columns = [0, 1, 2].map((column) => randomBlocks(seed * 3 + column, 6, 30 + column * 10).blocks);
      const changed = columns.map((blocks) => {
        const at = Math.floor(random() * blocks.length);
        return random() < 0.5
          ? blocks
          : blocks.toSpliced(at, random() < 0.5 ? 1 : 0, textBlock(random, blocks[0]?.width ?? 0));
      });
      const wider = blankImage(seed % 3 === 0 ? 7 : 0, 20);
      const one = placeBeside(columns.map(stackImages));
      const other = placeBeside([...changed.map(stackImages), ...(wider.width > 0 ? [wider] : [])]);
      const threshold = seed % 2 === 0 ? 0 : 0.1;
      expect({ seed, faults: await faultsOf(one, other, threshold) }).toEqual({ seed, faults: [] });
      expect(await faultsOf(other, one, threshold)).toEqual([]);
    }
  });

  it('does so for pages that are as high as a window', async () => {
    const inWindow = (blocks: Image[]) => {
      const page = stackImages(blocks);
      return stackImages([page, blankImage(40, Math.max(0, 480 - page.height))]);
    };
    for (const seed of seeds) {
      const { blocks, random } = randomBlocks(seed, 4 + (seed % 8), 40);
      const changed = [...blocks];
      for (let change = 0; change < 2; change += 1) {
        const at = Math.floor(random() * changed.length);
        if (random() < 0.5) changed.splice(at, 0, textBlock(random, 40, { lines: 1 + Math.floor(random() * 3) }));
        else changed.splice(at, 1);
      }
      const [one, other] = [inWindow(blocks), inWindow(changed)];
      expect({ seed, faults: await faultsOf(one, other) }).toEqual({ seed, faults: [] });
      expect({ seed, faults: await faultsOf(other, one) }).toEqual({ seed, faults: [] });
    }
  });

  it('finds nothing between images that are the same', async () => {
    const page = stackImages(randomBlocks(1, 20).blocks);
    expect(alignImages(page, copyImage(page))).toBeNull();
  });
});

describe('a block', () => {
  const { blocks, random } = randomBlocks(77, 30);
  const page = stackImages(blocks);
  const added = textBlock(random, 80);

  it('that was inserted is one region, and the rest moved', async () => {
    const current = stackImages(blocks.toSpliced(4, 0, added));
    const top = 4 * 32;
    expect(await compare(page, current)).toMatchObject({
      differentPixels: 80 * 32,
      height: current.height,
      regions: [{ x: 0, width: 80, height: 32, baseline: null, current: { width: 80, height: 32 } }],
      moves: [{ x: 0, width: 80, baselineY: top, currentY: top + 32, y: top + 32, height: page.height - top }],
    });
  });

  it('that was removed is one region, and the rest moved', async () => {
    const current = stackImages(blocks.toSpliced(4, 1));
    expect(await compare(page, current)).toMatchObject({
      differentPixels: 80 * 32,
      height: page.height,
      regions: [{ height: 32, baseline: { x: 0, y: 128, width: 80, height: 32 }, current: null }],
      moves: [{ baselineY: 160, currentY: 128, y: 160 }],
    });
  });

  it('that moved is taken out in one place and put in in another', async () => {
    const current = stackImages(blocks.toSpliced(20, 1).toSpliced(5, 0, blocks[20] ?? added));
    const { differentPixels, regions } = await compare(page, current);
    expect(differentPixels).toBe(2 * 80 * 32);
    expect(regions).toMatchObject([{ y: 5 * 32 }, { y: 21 * 32 }]);
  });

  it('that changed below another one that was inserted is found where it is in each image', async () => {
    const current = stackImages(blocks.toSpliced(4, 0, added));
    fillBox(current, { x: 10, y: 500, width: 20, height: 10 }, [255, 0, 0, 255]);
    expect(await compare(page, current)).toMatchObject({
      differentPixels: 80 * 32 + 200,
      regions: [
        { baseline: null },
        {
          baseline: { x: 10, y: 468, width: 20, height: 10 },
          current: { x: 10, y: 500, width: 20, height: 10 },
        },
      ],
    });
  });

  it('that was edited stays in its place, also where some of its rows would fit elsewhere', async () => {
    const current = copyImage(page);
    // Two rows of a line change places: nothing moved.
    page.pixels.copy(current.pixels, 40 * 320, 41 * 320, 42 * 320);
    page.pixels.copy(current.pixels, 41 * 320, 40 * 320, 41 * 320);
    expect(await compare(page, current)).toMatchObject({ height: page.height, moves: [], aligned: null });
  });
});

describe('blocks that are drawn a row farther apart', () => {
  const { blocks, random } = randomBlocks(31, 20);
  const added = textBlock(random, 80);
  const row = blankImage(80, 1);

  it('are no change below one, as long as it is rounding', async () => {
    const current = stackImages([...blocks.slice(0, 3), added, ...blocks.slice(3, 9), row, ...blocks.slice(9)]);
    const { differentPixels, regions } = await compare(stackImages(blocks), current);
    expect(differentPixels).toBe(80 * 32);
    expect(regions).toHaveLength(1);
  });

  it('are a change where it is all that changed, and where it is more than a row', async () => {
    const alone = stackImages([...blocks.slice(0, 9), row, ...blocks.slice(9)]);
    expect(await compare(stackImages(blocks), alone)).toMatchObject({ differentPixels: 80 });
    const twice = [...blocks.slice(0, 9), row, ...blocks.slice(9, 13), row, ...blocks.slice(13)];
    expect(await compare(stackImages(blocks), stackImages([added, ...twice]))).toMatchObject({
      differentPixels: 80 * 33,
    });
  });
});

describe('columns that move apart', () => {
  const { blocks, random } = randomBlocks(5, 24, 120);
  const aside = stackImages(randomBlocks(6, 9, 60).blocks);
  const gap = blankImage(20, 10);
  const header = textBlock(random, 200, { lines: 3 });
  const footer = textBlock(random, 200, { lines: 3 });
  const added = textBlock(random, 120);
  const pageOf = (main: Image[], side = aside) =>
    stackImages([header, placeBeside([side, gap, stackImages(main)]), footer]);

  it('are lined up each for itself: what was inserted beside a sidebar is all that differs', async () => {
    const { differentPixels, regions, moves } = await compare(pageOf(blocks), pageOf(blocks.toSpliced(2, 0, added)));
    expect(regions).toMatchObject([{ baseline: null, current: { height: 32 } }]);
    expect(differentPixels).toBeLessThanOrEqual(140 * 32);
    expect(moves.map(({ baselineY, currentY }) => currentY - baselineY)).toEqual([32, 32]);
    expect(moves[0]?.x).toBeGreaterThanOrEqual(60);
  });

  it('have what only the wider image shows beside the last of them, where its rows are', () => {
    const current = pageOf(blocks.toSpliced(2, 0, added));
    const wider = placeBeside([current, blankImage(7, 20)]);
    const lined = alignImages(pageOf(blocks), current);
    const layout = alignImages(pageOf(blocks), wider);
    if (lined === null || layout === null) throw new Error('Nothing moved');
    expect(layout.pieces.slice(0, lined.pieces.length)).toEqual(lined.pieces);
    const beside = layout.pieces.slice(lined.pieces.length);
    const last = lined.pieces.filter(({ x, width, currentY }) => x + width === 200 && currentY !== null);
    expect(beside).toEqual(last.map((piece) => ({ ...piece, x: 200, width: 7, baselineY: null, filler: false })));
    expect(isDisjoint(layout)).toBe(true);
    expect([...timesPlaced(layout, 'current', wider)]).toEqual([1]);
  });

  it('count a space that is taller than what was inserted beside it', async () => {
    const longer = stackImages([textBlock(random, 60, { lines: 1 }), aside]);
    const apart = blocks.toSpliced(5, 0, blankImage(120, 200));
    const { differentPixels } = await compare(pageOf(blocks), pageOf(apart, longer));
    expect(differentPixels).toBeGreaterThanOrEqual(120 * 200);
  });

  it('name the space that does not count because of what was inserted beside it', async () => {
    const longer = stackImages([textBlock(random, 60), aside]);
    const apart = blocks.toSpliced(5, 0, blankImage(120, 8));
    const { regions, filler } = await compare(pageOf(blocks), pageOf(apart, longer));
    expect(regions).toMatchObject([{ x: 0, baseline: null }]);
    expect(filler).toContainEqual(expect.objectContaining({ baseline: null, height: 8 }));
    expect((await compare(pageOf(blocks), pageOf(apart))).filler).toEqual([]);
  });

  it('keep their place where only the sidebar grew', async () => {
    const longer = stackImages([textBlock(random, 60), aside]);
    const { differentPixels, regions } = await compare(pageOf(blocks), pageOf(blocks, longer));
    expect(regions).toHaveLength(1);
    expect(differentPixels).toBeLessThanOrEqual(80 * 32);
  });
});

describe('pages on which rows repeat', () => {
  const row = (shade: number) => {
    const image = blankImage(60, 20, [shade, shade, shade, 255]);
    fillBox(image, { x: 0, y: 19, width: 60, height: 1 }, [200, 200, 200, 255]);
    fillBox(image, { x: 5, y: 6, width: 30, height: 6 }, [60, 60, 60, 255]);
    return image;
  };

  it('line up a table of equal rows to which one was added', async () => {
    const { random } = randomBlocks(9, 0);
    const [top, bottom] = [textBlock(random, 60), textBlock(random, 60)];
    const table = (rows: number) => stackImages([top, ...Array.from({ length: rows }, () => row(255)), bottom]);
    const { differentPixels, regions } = await compare(table(40), table(41));
    expect(differentPixels).toBe(60 * 20);
    expect(regions).toHaveLength(1);
  });

  it('are left as they are where a gradient shifts under the text', async () => {
    const gradient = (height: number) => {
      const image = blankImage(50, height);
      for (let y = 0; y < height; y += 1) {
        const shade = 255 - Math.floor((y / height) * 120);
        fillBox(image, { x: 0, y, width: 50, height: 1 }, [shade, shade, 255, 255]);
      }
      return image;
    };
    expect(await faultsOf(gradient(400), gradient(430))).toEqual([]);
  });
});

describe('the images lined up', () => {
  const { blocks, random } = randomBlocks(3, 10, 50);
  const page = stackImages(blocks);
  const current = stackImages(blocks.toSpliced(3, 0, textBlock(random, 50)));

  it('are both on the canvas, with gaps hatched', async () => {
    const { aligned, width, height } = await compare(page, current);
    const [before, after] = [aligned?.baseline, aligned?.current].map((png) => PNG.sync.read(png ?? Buffer.alloc(0)));
    expect(before).toMatchObject({ width, height });
    expect(after?.data.equals(current.pixels)).toBe(true);
    const rows = (image: PNG | undefined, from: number, to: number) => image?.data.subarray(from * 200, to * 200);
    expect(rows(before, 0, 96)?.equals(page.pixels.subarray(0, 96 * 200))).toBe(true);
    expect(rows(before, 128, height)?.equals(page.pixels.subarray(96 * 200))).toBe(true);
    expect(new Set(rows(before, 96, 128)).size).toBe(7);
  });

  it('are left out where nothing moved and the sizes are equal, and where nothing differs', async () => {
    const painted = copyImage(page);
    fillBox(painted, { x: 1, y: 1, width: 3, height: 3 }, [255, 0, 0, 255]);
    expect(await compare(page, painted)).toMatchObject({ aligned: null, moves: [] });
    expect(await compare(page, page)).toMatchObject({ aligned: null, moves: [] });
  });

  it('are there where one image is only wider', async () => {
    expect((await compare(blankImage(20, 20), blankImage(25, 20))).aligned).not.toBeNull();
  });

  it('are marked in the diff image where they moved', async () => {
    const { diffImage, moves } = await compare(page, current);
    const { data, width } = PNG.sync.read(diffImage ?? Buffer.alloc(0));
    const at = ((moves[0]?.y ?? 0) * width + 1) * 4;
    expect([...data.subarray(at, at + 3)]).toEqual([9, 105, 218]);
  });

  it('are not with alignment off: the old count', async () => {
    const plain = await compare(page, current, { alignment: false });
    expect(plain).toMatchObject({ moves: [], height: current.height });
    expect(plain.differentPixels).toBeGreaterThan(80 * 32);
  });
});

describe('an ignored banner that is higher now', () => {
  const { blocks, random } = randomBlocks(21, 12, 70);
  const [low, high] = [textBlock(random, 70, { lines: 2 }), textBlock(random, 70, { lines: 5 })];
  const [one, other] = [low, high].map((banner) => stackImages([...blocks.slice(0, 2), banner, ...blocks.slice(2)]));
  const ignore = {
    baseline: [{ x: 0, y: 64, width: 70, height: low.height }],
    current: [{ x: 0, y: 64, width: 70, height: high.height }],
  };

  it('shifts nothing: its rows pair up, and nothing differs', async () => {
    const compared = await compareImages(toPng(one ?? low), toPng(other ?? low), { threshold: 0, ignore });
    expect(compared).toMatchObject({ differentPixels: 0, regions: [], diffImage: null });
    expect(compared.ignoredPixels).toBeGreaterThan(0);
  });

  it('hides no change beside it', async () => {
    const changed = copyImage(other ?? high);
    fillBox(changed, { x: 9, y: 300, width: 5, height: 5 }, [255, 0, 0, 255]);
    const { differentPixels, regions } = await compareImages(toPng(one ?? low), toPng(changed), {
      threshold: 0,
      ignore,
    });
    expect(differentPixels).toBe(25);
    expect(regions).toMatchObject([{ current: { x: 9, y: 300, width: 5, height: 5 } }]);
  });
});

describe('what an ignored banner moved', () => {
  const { blocks, random } = randomBlocks(21, 12, 70);
  const [low, high] = [textBlock(random, 70, { lines: 2 }), textBlock(random, 70, { lines: 5 })];
  const place = { x: 0, y: 64, width: 70 };

  /** With a box of a color, and pixels of another one in it below the banner or above. */
  async function differing(color: number[], pixels: number, y = 300) {
    const pageWith = (banner: Image, painted: number[]) => {
      const page = stackImages([...blocks.slice(0, 2), banner, ...blocks.slice(2)]);
      const top = y > place.y ? y + banner.height : y;
      fillBox(page, { x: 9, y: top, width: 20, height: 3 }, [200, 100, 100, 255]);
      fillBox(page, { x: 9, y: top + 1, width: pixels, height: 1 }, painted);
      return toPng(page);
    };
    const ignore = { baseline: [{ ...place, height: low.height }], current: [{ ...place, height: high.height }] };
    const options = { threshold: 0, ignore };
    return (await compareImages(pageWith(low, [200, 100, 100, 255]), pageWith(high, color), options)).differentPixels;
  }

  it('may be drawn one level brighter in a few pixels', async () => {
    expect(await differing([200, 101, 101, 255], 2)).toBe(0);
    expect(await differing([200, 101, 101, 255], 8)).toBe(0);
  });

  it('is a change in more pixels, by more than a level, and where it did not move', async () => {
    expect(await differing([200, 101, 101, 255], 9)).toBe(9);
    expect(await differing([200, 102, 100, 255], 2)).toBe(2);
    expect(await differing([200, 101, 101, 255], 2, 20)).toBe(2);
  });
});

describe('a second ignored banner below the first one', () => {
  const { blocks, random } = randomBlocks(21, 12, 70);
  const banner = textBlock(random, 70, { lines: 3 });

  /** What is between the two, as in one image only. */
  async function between(color: number[], above: number) {
    const [top, rest] = [blocks.slice(0, above), [blankImage(70, 9), ...blocks.slice(above)]];
    const y = top.reduce((sum, { height }) => sum + height, 0);
    const first = { x: 0, y, width: 70, height: banner.height };
    const second = { ...first, y: y + banner.height + 20 };
    const one = stackImages([...top, banner, ...rest]);
    const two = stackImages([...top, banner, blankImage(70, 20, color), banner, ...rest]);
    const ignore = { baseline: [first], current: [first, second] };
    return compareImages(toPng(one), toPng(two), { threshold: 0, ignore });
  }

  it.each([0, 2])('may have a gap above it, with %i blocks above both', async (above) => {
    expect(await between([255, 255, 255, 255], above)).toMatchObject({ differentPixels: 0 });
  });

  it.each([0, 2])('hides no band of another color between them, with %i blocks above both', async (above) => {
    const { regions } = await between([255, 0, 0, 255], above);
    expect(regions).toMatchObject([{ width: 70, height: 20 }]);
  });
});
