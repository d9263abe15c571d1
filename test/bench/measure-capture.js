import { inTurns } from './measure.js';

const TURNS = 3;
const PATHS = ['/', '/page/1', '/page/2', '/page/3', '/page/4', '/page/9'];

async function overPages(site, capture) {
  for (const path of PATHS) await capture(`${site.origin}${path}`);
}

/** Milliseconds per page. Ours first waits until the page is stable; an unchanged page needs only one screenshot. */
export async function measureCapture(site, rivals) {
  const approved = new Map();
  await overPages(site, async (url) =>
    approved.set(url, { sha256: (await rivals.capture(url, null)).sha256, atRest: true }),
  );
  const rows = [];
  for (const [what, baselineOf] of [
    ['first capture: until two screenshots agree', () => null],
    ['unchanged page: settled by its SHA-256', (url) => approved.get(url)],
  ]) {
    const times = await inTurns(
      TURNS,
      async () => overPages(site, rivals.plainCapture),
      async () => overPages(site, async (url) => rivals.capture(url, baselineOf(url))),
    );
    rows.push([what, ...times.map((milliseconds) => milliseconds / PATHS.length)]);
  }
  return rows;
}
