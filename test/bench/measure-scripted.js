import { SCRIPTED_PAGES } from './scripted-site.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
];
const FLOOR_PAGES = 2;
/** As many as a service on two cores has open. */
const OPEN_PAGES = 12;

/** Works off all pages in all sizes, with so many at a time. @returns milliseconds per screenshot. */
async function overSite(site, workers) {
  const shots = Array.from({ length: SCRIPTED_PAGES }, (_, page) =>
    SIZES.map((size) => [`${site.origin}/${page + 1}`, size]),
  );
  const waiting = shots.flat();
  const count = waiting.length;
  const begin = performance.now();
  await Promise.all(
    workers.map(async (capture) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await capture(...next);
    }),
  );
  return (performance.now() - begin) / count;
}

/** Our captures wait for what comes late; the floor takes what is there. Throws when an unchanged page differs. */
export async function measureScripted(site, rivals) {
  const floor = await Promise.all(Array.from({ length: FLOOR_PAGES }, async () => rivals.floorPage()));
  const approved = new Map();
  const capture = async (url, size) => {
    const key = `${url} ${size.width}`;
    const baseline = approved.get(key) ?? null;
    const viewport = { ...size, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null };
    const { sha256, atRest, way } = await rivals.capture(url, baseline, { viewport, scope: 'bench' });
    if (baseline !== null && baseline.sha256 !== sha256) throw new Error(`${key} is a false alarm`);
    approved.set(key, { sha256, atRest, way });
  };
  const ours = Array.from({ length: OPEN_PAGES }, () => capture);
  const rows = [];
  for (const what of ['first capture', 'unchanged page']) {
    rows.push([what, await overSite(site, floor), await overSite(site, ours)]);
  }
  return rows;
}
