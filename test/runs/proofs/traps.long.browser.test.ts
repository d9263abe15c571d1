import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { openSite, type Site } from '../../capture/site.ts';
import type { World } from '../../support/world.ts';
import { isProven, realWorld, run, suiteOf } from './proof-world.ts';
import { OF_PLACE } from './traps-of-place.ts';
import { OF_VALUES } from './traps-of-values.ts';
import { TRAPS as GENERAL, PLAIN, type Trap } from './traps.ts';

type Traps = Record<string, Trap>;

const TRAPS: Traps = { ...GENERAL, ...OF_PLACE, ...OF_VALUES };

/** Serves the files of each below a folder of its name. */
function serve(on: Site, side: 'site' | 'preview', all: Traps, third: string): void {
  for (const [name, { files }] of Object.entries(all)) {
    for (const [file, answer] of Object.entries(files)) {
      on.page(`/${name}/${file}`, (request, response) => {
        const { status = 200, headers = {}, body = '' } = answer(side, request, third);
        response.writeHead(status, headers).end(body);
      });
    }
  }
}

let world: World & { end: () => Promise<void> };
let sites: Site[];
let results: Map<string, PageResult>;

beforeAll(async () => {
  const opened = await Promise.all([realWorld(), openSite(), openSite(), openSite()]);
  const [, site, preview, third] = opened;
  [world] = opened;
  sites = [site, preview, third];
  const all = { ...TRAPS, ...PLAIN };
  serve(site, 'site', all, third.origin);
  serve(preview, 'preview', all, third.origin);
  const paths = Object.keys(all).map((name) => `/${name}/`);
  const of = await suiteOf(world, site.origin, paths, { locale: 'de-DE' });
  let side: 'green' | 'red' = 'green';
  for (const path of ['/third.svg', '/frame.svg']) {
    third.page(path, (_, response) => {
      const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="${side}"/></svg>`;
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
    });
  }
  await run(world, of);
  side = 'red';
  // The first job asks about all pages. Where the picture is the same, there is nothing to see.
  const isSeen = (path: string) => TRAPS[path.slice(1, -1)]?.looks === 'other';
  const found = await run(world, of, { targetBaseUrl: preview.origin }, isSeen);
  results = new Map(found.map((result) => [result.path.slice(1, -1), result]));
}, 600_000);

afterAll(async () => {
  await Promise.all([world.end(), ...sites.map(async (site) => site.close())]);
});

describe('a page whose picture something else decides', () => {
  it.each(Object.entries(TRAPS))('is captured: %s', (name, { looks }) => {
    const result = results.get(name);
    expect(result?.proof?.state ?? 'ASKED').toBe('ASKED');
    // Otherwise the trap is none.
    expect(looks === 'same' || result?.status === 'FAIL').toBe(true);
  });
});

describe('a page that is served as it was', () => {
  it.each(Object.keys(PLAIN))('is proven: %s', (name) => {
    const result = results.get(name);
    expect(result !== undefined && isProven(result)).toBe(true);
  });
});
