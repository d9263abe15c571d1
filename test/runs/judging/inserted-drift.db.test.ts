import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { joinImages } from '../../../src/compare/join-images.ts';
import type { Image } from '../../../src/png/image.ts';
import { ignoreChange } from '../../../src/runs/judging/ignore-change.ts';
import { getResultFor } from '../../../src/runs/read-run.ts';
import { placeBeside, randomBlocks, stackImages, textBlock } from '../../compare/align/random-page.ts';
import { blankImage, randomNumbers, setPixel, toPng } from '../../compare/random-images.ts';
import { onlyPage, runOn, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

/** A part of a page that looks like no other. */
function part(seed: number): Buffer {
  const [random, image] = [randomNumbers(seed), blankImage(60, 90)];
  for (let row = 20; row < 70; row += 1) setPixel(image, Math.floor(random() * 60), row, [0, 0, 0, 255]);
  return toPng(image);
}

const [ONE, TWO, NEWS, MORE] = [part(1), part(2), part(3), part(4)];

const pageOf = async (...parts: Buffer[]) => joinImages(parts);

it.each([
  ['drift at the place where the site shows it', [NEWS, ONE, TWO], 'DRIFT'],
  ['a change of the preview at another place', [ONE, NEWS, TWO], 'CHANGE'],
  ['a change of the preview at the end', [ONE, TWO, NEWS], 'CHANGE'],
  ['a change of the preview where it is shown once more', [NEWS, ONE, NEWS, TWO], 'CHANGE'],
])('content that a site has added is %s', async (_what, parts, cause) => {
  const page = await onlyPage(world);
  await runOn(world, page, await pageOf(ONE, TWO));
  const site = await pageOf(NEWS, ONE, MORE, TWO);
  const start = { targetBaseUrl: 'http://preview.test' };
  expect(await runOn(world, page, await pageOf(...parts), { start, site })).toMatchObject({ cause, drifted: true });
});

it.each([200, 8])(
  'drift of a column hides no space of %i px that the preview puts into the one beside it',
  async (px) => {
    const { blocks, random } = randomBlocks(5, 24, 120);
    const aside = stackImages(randomBlocks(6, 9, 60).blocks);
    const longer = stackImages([textBlock(random, 60, { lines: 1 }), aside]);
    const [header, footer] = [textBlock(random, 200, { lines: 3 }), textBlock(random, 200, { lines: 3 })];
    const show = (side = aside, main = blocks) =>
      toPng(stackImages([header, placeBeside([side, blankImage(20, 10), stackImages(main)]), footer]));
    const page = await onlyPage(world);
    await runOn(world, page, show());
    const apart = blocks.toSpliced(5, 0, blankImage(120, px));
    const start = { targetBaseUrl: 'http://preview.test' };
    expect(await runOn(world, page, show(longer), { start, site: show(longer) })).toMatchObject({ cause: 'DRIFT' });
    expect(await runOn(world, page, show(longer, apart), { start, site: show(longer) })).toMatchObject({
      cause: 'CHANGE',
      drifted: true,
    });
  },
);

/** A page of two columns: beside parts of its text, with space between two of them. */
function besideText() {
  const { blocks, random } = randomBlocks(5, 24, 120);
  const side = randomBlocks(6, 9, 60).blocks;
  const [header, footer] = [textBlock(random, 200, { lines: 3 }), textBlock(random, 200, { lines: 3 })];
  const [news, more] = [textBlock(random, 60, { lines: 1 }), textBlock(random, 60, { lines: 2 })];
  const show = (aside: Image[], px = 0) => {
    const main = px === 0 ? blocks : blocks.toSpliced(5, 0, blankImage(120, px));
    const columns = placeBeside([stackImages(aside), blankImage(20, 10), stackImages(main)]);
    return toPng(stackImages([header, columns, footer]));
  };
  return { show, side, withNews: [news, ...side], withBoth: [news, ...side.toSpliced(6, 0, more)] };
}

it.each([
  [0, 'DRIFT'],
  [8, 'CHANGE'],
])(
  'a site that has more drift than its preview hides no space of %i px that the preview puts beside it',
  async (px, cause) => {
    const { show, side, withNews, withBoth } = besideText();
    const page = await onlyPage(world);
    await runOn(world, page, show(side));
    const seen = { start: { targetBaseUrl: 'http://preview.test' }, site: show(withBoth) };
    expect(await runOn(world, page, show(withNews, px), seen)).toMatchObject({ cause, drifted: true });
  },
);

it('an ignored change hides no space that is put beside it', async () => {
  const { show, side, withNews } = besideText();
  const page = await onlyPage(world);
  await runOn(world, page, show(side));
  const start = { targetBaseUrl: 'http://preview.test' };
  const ignored = await runOn(world, page, show(withNews), { start });
  const target = await getResultFor(world.ctx, page.viewer, ignored.id, 'suite.approve');
  await ignoreChange(world.ctx, target, { note: null, expiresAt: null });
  expect(await runOn(world, page, show(withNews), { start })).toMatchObject({ cause: 'IGNORED' });
  expect(await runOn(world, page, show(withNews, 8), { start })).toMatchObject({ cause: 'CHANGE' });
});
