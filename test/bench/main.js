import { startGeneratedSite } from './generated-site.js';
import { measureCapture } from './measure-capture.js';
import { measureComparison } from './measure-comparison.js';
import { measureCrawl } from './measure-crawl.js';
import { measureScripted } from './measure-scripted.js';
import { openRivals } from './rivals.js';
import { startScriptedSite } from './scripted-site.js';

/*
 * `npm run bench`: compares our code with the plain way of doing the same, on one machine, taking turns. The ratios
 * matter; the milliseconds depend on the machine. Needs a build and a browser.
 */

/** Rows of [what, plain, ours]. Smaller is better. */
function print(title, unit, rows) {
  console.log(`\n${title}\n`);
  const line = (cells) =>
    console.log(
      `  ${cells[0].padEnd(44)}${cells
        .slice(1)
        .map((c) => c.padStart(16))
        .join('')}`,
    );
  line(['', `plain, ${unit}`, `ours, ${unit}`, 'ratio']);
  for (const [what, plain, ours] of rows) {
    line([what, plain.toFixed(1), ours.toFixed(1), `${(plain / ours).toFixed(2)} x`]);
  }
}

const site = await startGeneratedSite();
const scripted = await startScriptedSite();
const rivals = await openRivals();
try {
  print(
    'Comparing two PNG files to a verdict and a diff image: pixelmatch + pngjs',
    'ms',
    await measureComparison(site, rivals),
  );
  print(
    'Capturing a full page in a fresh context: Playwright page.screenshot',
    'ms',
    await measureCapture(site, rivals),
  );
  print(
    'Capturing a site made by scripts, 30 pages in two sizes: two kept pages, captured as they load',
    'ms/screenshot',
    await measureScripted(scripted, rivals),
  );
  print('Discovering a site of 1,000 pages: only fetching them', 'ms/page', await measureCrawl(site));
} finally {
  await rivals.close();
  await scripted.stop();
  await site.stop();
}
