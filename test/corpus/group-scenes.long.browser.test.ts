import { beforeAll, describe, expect, it } from '@jest/globals';
import { compareImages } from '../../src/compare/compare-images.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import { loadingOnce } from '../capture/load-once.ts';
import { never, requestOf } from '../capture/requests.ts';
import { SCENES } from './group-scenes.js';
import { measureGroups } from './measure-groups.js';
import { CORPUS_VIEWPORTS } from './measure-signal.js';

const BOUND_MS = 1_200_000;

type Size = { width: number; height: number };

let groups: Awaited<ReturnType<typeof measureGroups>>;
const words = new Map<string, string>();

beforeAll(async () => {
  const browser = loadingOnce();
  const capture = async (url: string, size: Size) => {
    const request = requestOf(url);
    const { png, elements } = await browser.capture({ ...request, viewport: { ...request.viewport, ...size } }, never);
    if (elements === null) throw new Error('no elements');
    return { png, map: await decodeElementMap(elements) };
  };
  type Taken = Awaited<ReturnType<typeof capture>>;
  const listChanges = async (before: Taken, after: Taken) => {
    const { regions } = await compareImages(before.png, after.png, { threshold: 0 });
    const changes = findChanges({ baseline: before.map, current: after.map }, regions);
    for (const { key, kind, element, summary } of changes) words.set(key, `${kind} ${element}: ${summary}`);
    return changes.map(({ key }) => key);
  };
  groups = await measureGroups({ capture, listChanges, viewports: CORPUS_VIEWPORTS });
  await browser.close();
}, BOUND_MS);

describe('a change that all pages have in common', () => {
  it.each([...new Set(SCENES.map(({ common }) => common))])('is one group, over pages and viewports: %s', (name) => {
    const changes = groups.commons.find((common) => common.name === name)?.changes ?? [];
    const keys: string[] = changes.flat();
    expect([...new Set(keys)].map((key) => words.get(key))).toHaveLength(1);
    expect(keys).toHaveLength(changes.length);
  });
});

describe('a fault on one page', () => {
  it.each(SCENES.map(({ common, name }) => [name, common]))('is a change of its own: %s, beside %s', (name, common) => {
    const own = groups.faults.find((fault) => fault.name === name && fault.common === common)?.own ?? [];
    expect(own).toHaveLength(CORPUS_VIEWPORTS.length);
    for (const keys of own) expect(keys).not.toEqual([]);
  });
});
