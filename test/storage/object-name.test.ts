import { describe, expect, it } from '@jest/globals';
import {
  buildFileName,
  buildListName,
  buildPrefix,
  cropName,
  elementsName,
  imageName,
  isObjectName,
  readCropName,
  sha256InName,
  suiteOfObject,
  suitePrefix,
  thumbnailName,
  tileName,
} from '../../src/storage/object-name.ts';
import { sha256Of } from '../../src/text/sha256.ts';

const SUITE = '0b8f6f5e-5a52-4c7c-9d3a-0f6a3f1f7b11';
const SHA = sha256Of(Buffer.from('an image'));

describe('imageName', () => {
  it('names an image by its suite and its bytes, below the prefix of the suite', () => {
    expect(imageName(SUITE, SHA)).toBe(`suites/${SUITE}/${SHA}.png`);
    expect(imageName(SUITE, SHA).startsWith(suitePrefix(SUITE))).toBe(true);
  });

  it('is taken apart again', () => {
    expect(suiteOfObject(imageName(SUITE, SHA))).toBe(SUITE);
    expect(sha256InName(imageName(SUITE, SHA))).toBe(SHA);
  });
});

describe('tileName', () => {
  it('lies beside the image, one for each tile and width, and is no image itself', () => {
    const image = imageName(SUITE, SHA);
    const names = [tileName(image, 0, null), tileName(image, 0, 384), tileName(image, 12, null)];
    expect(names).toEqual(['t0', 't0-384', 't12'].map((part) => `suites/${SUITE}/${SHA}.${part}.webp`));
    expect(names.map((name) => [isObjectName(name), suiteOfObject(name)])).toEqual(names.map(() => [true, null]));
  });
});

describe('thumbnailName', () => {
  it('lies beside the image, one for each width, and is no image itself', () => {
    const name = thumbnailName(imageName(SUITE, SHA), 96);
    expect(name).toBe(`suites/${SUITE}/${SHA}.w96.webp`);
    expect([isObjectName(name), name.startsWith(suitePrefix(SUITE)), suiteOfObject(name)]).toEqual([true, true, null]);
    expect(thumbnailName(imageName(SUITE, SHA), 192)).not.toBe(name);
  });
});

describe('cropName', () => {
  const name = cropName(imageName(SUITE, SHA), { x: -16, y: 1234, width: 800, height: 60 });

  it('lies beside the image and is no image itself', () => {
    expect(name).toBe(`suites/${SUITE}/${SHA}.k-16-1234-800-60.webp`);
    expect([isObjectName(name), suiteOfObject(name)]).toEqual([true, null]);
    expect(cropName('a.png/b.png', { x: 0, y: 0, width: 1, height: 1 })).toBe('a.png/b.k0-0-1-1.webp');
  });

  it('is taken apart again', () => {
    expect(readCropName(name)).toEqual({
      image: imageName(SUITE, SHA),
      box: { x: -16, y: 1234, width: 800, height: 60 },
    });
    expect(readCropName(cropName('a.png', { x: 12, y: -34, width: 5, height: 6 }))).toEqual({
      image: 'a.png',
      box: { x: 12, y: -34, width: 5, height: 6 },
    });
  });

  it.each([
    '',
    imageName(SUITE, SHA),
    thumbnailName(imageName(SUITE, SHA), 96),
    '.k1-2-3-4.webp',
    'a.k1-2-3.webp',
    'a.k1-2-3-4',
    'a.k1-2-3-4.webp.png',
    'a.k1-2--3-4.webp',
    'a.k1-2-3-4567890.webp',
    'a\nb.k1-2-3-4.webp',
  ])('is not %j', (other) => {
    expect(readCropName(other)).toBeNull();
  });
});

it('the objects of a build, and element maps, lie below the prefix of the suite', () => {
  expect(elementsName(SUITE, SHA)).toBe(`suites/${SUITE}/${SHA}.elements`);
  expect(buildPrefix(SUITE, 'build')).toBe(`suites/${SUITE}/builds/build/`);
  expect(buildFileName(SUITE, 'build', SHA)).toBe(`suites/${SUITE}/builds/build/${SHA}`);
  expect(buildListName(SUITE, 'build')).toBe(`suites/${SUITE}/builds/build/files.json`);
});

describe('sha256Of', () => {
  it('is the SHA-256 in hexadecimal digits', () => {
    expect(sha256Of(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('suiteOfObject', () => {
  it.each([
    ['nothing', ''],
    ['another folder', `pages/${SUITE}/${SHA}.png`],
    ['no suite', `suites/${SHA}.png`],
    ['a suite id that is none', `suites/1234/${SHA}.png`],
    ['capital letters', `suites/${SUITE.toUpperCase()}/${SHA}.png`],
    ['a short hash', `suites/${SUITE}/${SHA.slice(1)}.png`],
    ['another kind of file', `suites/${SUITE}/${SHA}.svg`],
    ['a way up', `suites/${SUITE}/../${SUITE}/${SHA}.png`],
    ['a slash in front', `/suites/${SUITE}/${SHA}.png`],
    ['something behind', `suites/${SUITE}/${SHA}.png/x`],
    ['a line break behind', `suites/${SUITE}/${SHA}.png\n`],
    ['a NUL behind', `suites/${SUITE}/${SHA}.png\0`],
  ])('is null for %s', (_, name) => {
    expect(suiteOfObject(name)).toBeNull();
    expect(sha256InName(name)).toBeNull();
  });
});

describe('isObjectName', () => {
  const longest = `${'a'.repeat(255)}/${'b'.repeat(254)}/c`;

  it.each([imageName(SUITE, SHA), 'a', 'a/b-c_d/e.f', longest])('is true for %s', (name) => {
    expect(isObjectName(name)).toBe(true);
  });

  it.each([
    '',
    '/',
    '..',
    '.',
    '/a',
    'a/',
    'a//b',
    'a/../b',
    'a/./b',
    '../a',
    'a/..',
    'a\\b',
    '..\\a',
    'C:\\a',
    'a\0',
    'a\n',
    'a b',
    'a%2fb',
    '.parts/a',
    '-a',
    'ä',
    `${'a/'.repeat(299)}a`,
    `${longest}c`,
    'a'.repeat(256),
  ])('is false for %j', (name) => {
    expect(isObjectName(name)).toBe(false);
  });
});
