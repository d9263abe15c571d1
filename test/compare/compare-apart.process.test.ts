import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { openImageComparer } from '../../src/compare/compare-apart.ts';
import { compareImages } from '../../src/compare/compare-images.ts';
import type { Image } from '../../src/png/image.ts';
import { blankImage, fillBox, toPng } from './random-images.ts';

const entry = pathToFileURL(path.resolve('dist/compare/compare-thread.js'));
const comparer = openImageComparer({ entry, mostWaiting: 3 });
const one = blankImage(400, 6000);
const other = blankImage(400, 6040);
fillBox(other, { x: 20, y: 500, width: 60, height: 40 }, [200, 0, 0, 255]);

afterAll(() => comparer.close());

it('compares in another thread as in this one, which goes on meanwhile', async () => {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const apart = await comparer.compareImages(toPng(one), toPng(other), { threshold: 0 });
  clearImmediate(counting);
  expect(apart).toEqual(await compareImages(toPng(one), toPng(other), { threshold: 0 }));
  expect(turns).toBeGreaterThan(100);
});

it('starts no thread for equal screenshots', async () => {
  const refusing = openImageComparer({ entry: new URL('refusing-thread.js', import.meta.url) });
  const options = { threshold: 0 };
  expect(await refusing.compareImages(toPng(one), toPng(one), options)).toMatchObject({ differentPixels: 0 });
  await expect(refusing.compareImages(toPng(one), toPng(other), options)).rejects.toThrow(
    'Asked in a thread of its own',
  );
  await refusing.close();
});

it('lets small screenshots pass large ones', async () => {
  const ended: string[] = [];
  const compare = async (name: string, baseline: Image, current: Image) => {
    await comparer.compareImages(toPng(baseline), toPng(current), { threshold: 0 });
    ended.push(name);
  };
  // Their thread has started: how long that takes is the machine's business.
  await compare('first', blankImage(20, 20), blankImage(20, 21));
  const large = Array.from({ length: 3 }, () => compare('large', one, other));
  await Promise.all([...large, compare('small', blankImage(20, 20), blankImage(20, 21))]);
  expect(ended.indexOf('small')).toBeLessThan(ended.lastIndexOf('large'));
});

it('tells which screenshot cannot be read, and compares the next ones', async () => {
  const options = { threshold: 0 };
  await expect(comparer.compareImages(toPng(one), Buffer.from('no picture'), options)).rejects.toThrow(
    'The current screenshot is not a readable PNG',
  );
  expect(await comparer.compareImages(toPng(one), toPng(one), options)).toMatchObject({ differentPixels: 0 });
});

it('gives up a comparison that never ends, and does the next one in another thread', async () => {
  const unlimited = () => new AbortController().signal;
  let limit = unlimited;
  const hanging = openImageComparer({
    entry: new URL('hanging-thread.js', import.meta.url),
    limit: () => limit(),
  });
  const compare = async (threshold: number) => hanging.compareImages(toPng(one), toPng(other), { threshold });
  expect(await compare(0)).toMatchObject({ differentPixels: 7 });
  limit = () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    return controller.signal;
  };
  await expect(compare(1)).rejects.toThrow('aborted');
  limit = unlimited;
  expect(await compare(0)).toMatchObject({ differentPixels: 7 });
  await hanging.close();
});

it('refuses more than wait already', async () => {
  const compared = await Promise.allSettled(
    Array.from({ length: 6 }, () => comparer.compareImages(toPng(one), toPng(other), { threshold: 0 })),
  );
  const refused = compared.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ kind: 'unavailable', details: { code: 'comparisons_busy' } });
  }
});
