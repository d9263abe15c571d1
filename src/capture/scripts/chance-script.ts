import { restBelow } from '../../net/site-base.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';
import { isCallable, wrapAccessor, wrapDate, wrapMethod, type Call } from './watch-script.ts';

/*
 * Dates and random numbers, in the page's own world and before its scripts. Functions are passed as source text, so
 * each may only use what is in the list of its script.
 */

/** For a preview: its host, and the paths of its base and of the site's. */
type Place = { host: string; base: string; site: string } | null;

/**
 * A small generator of good quality (sfc32). The path of the page is the seed, so that frames differ from each other; of a
 * preview, the path that the page has on the site.
 */
function seedRandom(wrap: typeof wrapMethod, below: typeof restBelow, place: Place): void {
  let hash = 2_166_136_261;
  const rest = place?.host === location.host ? below(place.base, location.pathname) : null;
  for (const character of place === null || rest === null ? location.pathname : place.site + rest) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  let [a, b, c, count] = [hash, 0x9e_37_79_b9, 0x24_3f_6a_88, 1];
  const next = () => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next();
  wrap(Math, 'random', () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53);
  const fill: Call = (original, self, args) => {
    const filled = Reflect.apply(original, self, args);
    if (ArrayBuffer.isView(filled)) {
      const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = next() & 255;
    }
    return filled;
  };
  wrap(Crypto.prototype, 'getRandomValues', fill);
  wrap(Crypto.prototype, 'randomUUID', () => {
    const hex = [next(), next(), next(), next()].map((word) => word.toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[next() & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  });
}

/** The date stands still, or runs from an instant. Timers and `performance.now` are left alone. */
function setClock(wrap: typeof wrapMethod, wrapPart: typeof wrapAccessor, at: number, fixed: boolean): void {
  const RECENT_MS = 60_000;
  const trueNow = Date.now.bind(Date);
  const ticks = performance.now.bind(performance);
  const start = ticks();
  const now = () => (fixed ? at : Math.floor(at + ticks() - start));
  const RealDate = Date;
  wrapDate(now);
  wrapPart(Performance.prototype, 'timeOrigin', 'get', () => at - start);
  // A document without this header counts as modified now.
  wrapPart(Document.prototype, 'lastModified', 'get', (original, self) => {
    const modified = String(Reflect.apply(original, self, []));
    if (Math.abs(trueNow() - RealDate.parse(modified)) > RECENT_MS) return modified;
    const date = new RealDate(now());
    const two = (value: number) => String(value).padStart(2, '0');
    const day = [date.getMonth() + 1, date.getDate(), date.getFullYear()].map(two).join('/');
    return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
  });
  const { prototype } = Intl.DateTimeFormat;
  wrap(prototype, 'formatToParts', (original, self, [date = now()]) => Reflect.apply(original, self, [date]));
  wrapPart(prototype, 'format', 'get', (original, self) => {
    const bound: unknown = Reflect.apply(original, self, []);
    return isCallable(bound) ? (date: unknown = now()) => bound(date) : bound;
  });
}

/** The script for a request. Empty if pages get the real time and real random numbers. */
export function chanceScript({
  clock,
  seedRandom: isSeeded,
  preview,
}: Pick<CaptureRequest, 'clock' | 'seedRandom' | 'preview'>): string {
  const parts = [isCallable, wrapMethod, wrapAccessor, wrapDate].join('\n');
  const place: Place = preview && {
    host: new URL(preview.base.origin).host,
    base: preview.base.path,
    site: preview.site.path,
  };
  const seed = isSeeded
    ? `${String(restBelow)}\n${String(seedRandom)}\nseedRandom(wrapMethod, restBelow, ${JSON.stringify(place)});`
    : '';
  const time =
    clock === null
      ? ''
      : `${String(setClock)}\nsetClock(wrapMethod, wrapAccessor, ${Date.parse(clock.at)}, ${String(clock.mode === 'fixed')});`;
  return seed === '' && time === '' ? '' : `(() => { ${parts}\n${seed}\n${time} })()`;
}
