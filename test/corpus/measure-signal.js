import pLimit from 'p-limit';

export const CORPUS_VIEWPORTS = [
  { width: 800, height: 500 },
  { width: 320, height: 480 },
];

const never = async () => false;

const ignore = async () => {};

async function measurePage(browser, server, page, size, options) {
  const { runs, request, listChanges = async () => [], onFalseAlarm = ignore, onMeasured = ignore } = options;
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
    untold: 0,
    warnings: [],
    errors: [],
  };
  const capture = async (changed, baseline) => {
    // In turn for each viewport, whatever is captured beside it.
    const turn = page.alternates === true ? `/${size.width}` : '';
    const url = server.address(page, changed) + turn;
    const taken = await browser.capture(request(url, { scope: 'corpus', ...page.needs, viewport, baseline }), never);
    signal.captures += 1;
    signal.screenshots += taken.screenshots;
    const isUnstable = taken.stability === 'UNSTABLE';
    if (isUnstable && page.alternates !== true) signal.unstable += 1;
    // A single load that shows the baseline has seen one layout only.
    if (!isUnstable && page.alternates === true && taken.screenshots > 1) signal.untold += 1;
    signal.warnings.push(...taken.warnings.map(({ code }) => code));
    return taken;
  };
  try {
    const first = await capture(false, null);
    const { sha256, atRest } = first;
    const baseline = { sha256, atRest, way: first.way };
    for (let run = 0; run < runs; run += 1) {
      const again = await capture(false, baseline);
      if (again.sha256 === sha256) continue;
      signal.falseAlarms += 1;
      await onFalseAlarm(signal, first, again);
    }
    const last = await capture(true, baseline);
    const isTold = page.warns !== undefined && last.warnings.some(({ code }) => code === page.warns);
    signal.missed = last.sha256 === sha256 && !isTold;
    signal.changes = await listChanges(first, last);
  } catch (error) {
    signal.errors.push(error instanceof Error ? error.message : String(error));
  }
  signal.warnings = [...new Set(signal.warnings)];
  await onMeasured(signal);
  return signal;
}

/**
 * Takes a baseline of each page, captures it again `runs` times, and its changed copy once. `concurrency` captures go on
 * at the same time: waiting costs nothing. `listChanges` tells the keys of what changed between two captures;
 * `onFalseAlarm` gets the baseline's capture and the other, `onMeasured` each page and viewport when it is done.
 */
export async function measureSignal(browser, server, pages, options) {
  const limit = pLimit(options.concurrency);
  const pairs = pages.flatMap((page) => options.viewports.map((viewport) => ({ page, viewport })));
  return Promise.all(
    pairs.map(async ({ page, viewport }) => limit(async () => measurePage(browser, server, page, viewport, options))),
  );
}
