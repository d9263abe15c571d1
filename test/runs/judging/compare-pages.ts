import { compareImages, type Comparison } from '../../../src/compare/compare-images.ts';
import { decodeElementMap } from '../../../src/elements/encode-element-map.ts';
import { compareByRules } from '../../../src/runs/judging/compare-by-rules.ts';
import { effectiveConfig, type SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { loadingOnce } from '../../capture/load-once.ts';
import { never, requestOf } from '../../capture/requests.ts';
import { html, openSite } from '../../capture/site.ts';

/** A page before and after, as HTML of the body. */
export type Pair = { style?: string; before: string; after: string };

const SIZES = { desktop: { width: 1280, height: 800 }, mobile: { width: 390, height: 844 } };

export type ViewportName = keyof typeof SIZES;

export const VIEWPORT_NAMES = ['desktop', 'mobile'] as const;

const STYLE = 'body { margin: 16px; font: 16px/1.5 sans-serif; color: #333 }';

/** Captures pages, each once, and compares them as a run does. */
export async function openComparer() {
  const site = await openSite();
  const browser = loadingOnce();
  const taken = new Map<string, ReturnType<typeof capture>>();

  async function capture(page: string, viewport: ViewportName, fullPage: boolean) {
    const request = requestOf(site.page(`/${taken.size}`, page), { fullPage });
    // Nothing on these pages moves, so there is no rest to wait for.
    const settle = { quiet: 0, network: 0, timeout: 0 };
    const changes = { settle, viewport: { ...request.viewport, ...SIZES[viewport] } };
    const { png, elements } = await browser.capture({ ...request, ...changes }, never);
    if (elements === null) throw new Error('no elements');
    return { image: png, map: await decodeElementMap(elements) };
  }

  async function captureOnce(body: string, style: string, viewport: ViewportName, fullPage: boolean) {
    const page = html(body, `<style>${STYLE} ${style}</style>`);
    const key = JSON.stringify([page, viewport, fullPage]);
    const capturing = taken.get(key) ?? capture(page, viewport, fullPage);
    taken.set(key, capturing);
    return capturing;
  }

  async function open({ before, after, style = '' }: Pair, viewport: ViewportName, config: SuiteConfigInput = {}) {
    const run = { config: effectiveConfig(config) };
    const one = await captureOnce(before, style, viewport, run.config.fullPage);
    const other = await captureOnce(after, style, viewport, run.config.fullPage);
    const compare = async (sides: { before: typeof one; after: typeof one }): Promise<Comparison> =>
      compareByRules({ compareImages }, run, { path: '/', viewport }, sides);
    return { one, other, compare };
  }

  return {
    async compare(...pair: Parameters<typeof open>) {
      const { one, other, compare } = await open(...pair);
      return compare({ before: one, after: other });
    },
    /** The pair, and the same pair the other way round. */
    async compareBothWays(...pair: Parameters<typeof open>) {
      const { one, other, compare } = await open(...pair);
      return [await compare({ before: one, after: other }), await compare({ before: other, after: one })];
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

const WORDS =
  `the old lighthouse opens at nine and a ferry to our island leaves twice each hour from some eastern pier while weather
stays calm so visitors bring warm coats with good shoes for long walks along high cliffs above grey water`.split(/\s+/);

/** The same words for the same number. */
export function sentence(seed: number, count = 12): string {
  const picked = Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * (3 + (seed % 5))) % WORDS.length]);
  return `${picked.join(' ')}.`;
}

/** So many paragraphs, none like the other. */
export const paragraphs = (count: number, seed = 1) =>
  Array.from({ length: count }, (_, at) => `<p>${sentence(seed + at, 30 + (((seed + at) * 7) % 20))}</p>`).join('\n');
