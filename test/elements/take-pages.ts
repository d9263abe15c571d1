import pLimit from 'p-limit';
import type { ElementMap } from '../../src/elements/element-map.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { never, requestOf } from '../capture/requests.ts';
import { siteAndBrowser } from '../capture/site-and-browser.ts';

type Take = (html: string, width: number) => Promise<{ png: Buffer; map: ElementMap }>;

/** For all tests of a file: pages with their maps. `takeOnce` is for what a page looks like before, which many cases edit. */
export function pageTaker(): { take: Take; takeOnce: Take } {
  const { site, browser } = siteAndBrowser();
  /** On a busy machine, a page among many may get no time for so long that it counts as hanging. */
  const few = pLimit(3);
  let count = 0;
  const take: Take = async (html, width) => {
    count += 1;
    const request = requestOf(site.page(`/${count}`, html), { settle: { quiet: 50, network: 50, timeout: 5000 } });
    const ofWidth = { ...request, viewport: { ...request.viewport, width } };
    const { png, elements } = await few(async () => browser.capture(ofWidth, never));
    if (elements === null) throw new Error('no elements');
    return { png, map: await decodeElementMap(elements) };
  };
  const taken = new Map<string, ReturnType<Take>>();
  const takeOnce: Take = async (html, width) => {
    const key = `${width} ${html}`;
    const made = taken.get(key) ?? take(html, width);
    taken.set(key, made);
    return made;
  };
  return { take, takeOnce };
}
