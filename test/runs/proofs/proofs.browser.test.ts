import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { html, openSite } from '../../capture/site.ts';
import type { Site } from '../../capture/site.ts';
import type { World } from '../../support/world.ts';
import { isProven, realWorld, run, suiteOf } from './proof-world.ts';

let world: World & { end: () => Promise<void> };
let site: Site;
let preview: Site;

beforeAll(async () => {
  [world, site, preview] = await Promise.all([realWorld(), openSite(), openSite()]);
});

afterAll(async () => {
  await Promise.all([world.end(), site.close(), preview.close()]);
});

const css = (text: string) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/css' }).end(text);

describe('a page that is served as when its baseline was captured', () => {
  it('passes by proof without being loaded, and one that is served otherwise is captured', async () => {
    for (const each of [site, preview]) {
      each.page('/style.css', css('p { color: green }'));
      each.page('/same', html('<p>Same</p>', '<link rel="stylesheet" href="/style.css">'));
    }
    site.page('/changed', html('<p>Before</p>'));
    preview.page('/changed', html('<p>After</p>'));
    const of = await suiteOf(world, site.origin, ['/changed', '/same']);
    const seeds = await run(world, of);
    expect(seeds.map(({ proof }) => proof)).toEqual([null, null]);
    const [changed, same] = await run(world, of, { targetBaseUrl: preview.origin });
    expect(same).toMatchObject({ status: 'PASS', proof: { requests: 2 }, currentFile: seeds[1]?.currentFile });
    expect(same !== undefined && isProven(same)).toBe(true);
    expect(changed).toMatchObject({ status: 'FAIL', proof: { state: 'ASKED' } });
    expect(preview.hits('/style.css')).toBe(1);
    expect(preview.hits('/same')).toBe(1);
  });
});
