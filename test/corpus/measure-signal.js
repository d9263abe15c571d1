import pLimit from 'p-limit';

export const CORPUS_VIEWPORTS = [
  { width: 800, height: 500 },
  { width: 320, height: 480 },
];

const never = async () => false;

async function measurePage(browser, server, page, size, { runs, request, listChanges = async () => [] }) {
  const viewport = { ...size, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null };
  const signal = {
    page: page.name,
    viewport: `${size.width}×${size.height}`,
    falseAlarms: 0,
    missed: false,
    changes: [],
    captures: 0,
    screenshots: 0,
    unstable: 0,
    warnings: [],
    errors: [],
  };
  const capture = async (changed, baseline) => {
    const url = server.address(page, changed);
    const taken = await browser.capture(request(url, { ...page.needs, viewport, baseline }), never);
    signal.captures += 1;
    signal.screenshots += taken.screenshots;
    if (taken.stability === 'UNSTABLE') signal.unstable += 1;
    signal.warnings.push(...taken.warnings.map(({ code }) => code));
    return taken;
  };
  try {
    const first = await capture(false, null);
    const { sha256, atRest } = first;
    const baseline = { sha256, atRest };
    for (let run = 0; run < runs; run += 1) {
      if ((await capture(false, baseline)).sha256 !== sha256) signal.falseAlarms += 1;
    }
    const last = await capture(true, baseline);
    signal.missed = last.sha256 === sha256;
    signal.changes = await listChanges(first, last);
  } catch (error) {
    signal.errors.push(error instanceof Error ? error.message : String(error));
  }
  signal.warnings = [...new Set(signal.warnings)];
  return signal;
}

/**
 * Takes a baseline of each page, captures it again `runs` times, and its changed copy once. `concurrency` captures go on
 * at the same time: waiting costs nothing. `listChanges` tells the keys of what changed between two captures.
 */
export async function measureSignal(browser, server, pages, options) {
  const limit = pLimit(options.concurrency);
  const pairs = pages.flatMap((page) => options.viewports.map((viewport) => ({ page, viewport })));
  return Promise.all(
    pairs.map(async ({ page, viewport }) => limit(async () => measurePage(browser, server, page, viewport, options))),
  );
}
