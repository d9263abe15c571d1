import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { compareImages } from '../../dist/compare/compare-images.js';
import { inTurns } from './measure.js';

const TURNS = 7;
const THRESHOLD = 0.1;
/** The longest page of the generated site. */
const PAGE = '/page/4';

const canvas = (screenshot, width, height) => {
  if (screenshot.width === width && screenshot.height === height) return screenshot;
  const larger = new PNG({ width, height });
  PNG.bitblt(screenshot, larger, 0, 0, screenshot.width, screenshot.height, 0, 0);
  return larger;
};

function plainComparison(one, other) {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const diff = new PNG({ width, height });
  const [before, after] = [canvas(a, width, height), canvas(b, width, height)];
  const count = pixelmatch(before.data, after.data, diff.data, width, height, { threshold: THRESHOLD });
  PNG.sync.write(diff);
  return count;
}

export async function measureComparison(site, rivals) {
  const [baseline, small, large] = [
    await rivals.plainCapture(`${site.origin}${PAGE}`),
    await rivals.plainCapture(`${site.origin}${PAGE}?change=small`),
    await rivals.plainCapture(`${site.origin}${PAGE}?change=large`),
  ];
  const { width, height } = PNG.sync.read(baseline);
  const rows = [];
  for (const [what, current] of [
    [`one block painted, ${width} x ${height} px`, small],
    ['everything below the top moved by 9 px', large],
  ]) {
    const times = await inTurns(
      TURNS,
      async () => plainComparison(baseline, current),
      async () => compareImages(baseline, current, { threshold: THRESHOLD }),
    );
    rows.push([what, ...times]);
  }
  // A faster comparison must give the same result.
  const { differentPixels } = await compareImages(baseline, small, { threshold: THRESHOLD });
  const expected = plainComparison(baseline, small);
  if (differentPixels !== expected) throw new Error(`Ours counts ${differentPixels} pixels, pixelmatch ${expected}`);
  return rows;
}
