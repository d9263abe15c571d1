// `npm run screenshots:checks -- FOLDER`: what GitHub makes of each kind of check, as pictures to look at.
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { findBrowser } from '../../dist/capture/browser/find-browser.js';
import { decideCheck } from '../../dist/pull-requests/check/desired-check.js';
import { links, STATES } from '../pull-requests/check/check-situation.js';
import { renderHtml } from '../support/github-markdown.js';

const FOLDER = path.resolve(process.argv[2] ?? path.join(tmpdir(), 'pixelgate-checks'));
const SIZES = [
  { width: 1012, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
];

/** As GitHub lays Markdown out, as far as it matters here. */
const STYLE = `
  :root { color-scheme: light dark }
  body { margin: 16px; font: 14px/1.5 "Liberation Sans", sans-serif; color: light-dark(#1f2328, #f0f6fc);
    background: light-dark(#fff, #0d1117); overflow-wrap: break-word }
  header { padding-bottom: 8px; border-bottom: 1px solid light-dark(#d1d9e0, #3d444d); font-size: 20px }
  header small { display: block; font-size: 12px; color: gray } p, details, table { margin: 0 0 16px }
  h3 { margin: 24px 0 16px; font-size: 1.25em } a { color: light-dark(#0969da, #4493f8) }
  code { padding: .2em .4em; font-size: 85%; background: rgb(101 108 118 / .2); border-radius: 6px; white-space: break-spaces }
  pre { padding: 16px; overflow: auto; background: light-dark(#f6f8fa, #151b23) } pre code { padding: 0; background: none }
  table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
  th, td { padding: 6px 13px; border: 1px solid light-dark(#d1d9e0, #3d444d) } img { max-width: 100% }
`;

/** A button before, and after. */
async function drawCrop(file) {
  const color = file === 'before.png' ? '#1a7f37' : '#0969da';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="144"><rect width="480" height="144" fill="#f6f8fa"/>
    <rect x="150" y="48" width="180" height="48" rx="8" fill="${color}"/>
    <text x="240" y="78" fill="#fff" font-family="Liberation Sans" font-size="20" text-anchor="middle">Get started</text></svg>`;
  const webp = await sharp(Buffer.from(svg)).webp().toBuffer();
  return `data:image/webp;base64,${webp.toString('base64')}`;
}

async function toPage(check) {
  let html = renderHtml(check.summary);
  for (const file of ['before.png', 'after.png']) {
    html = html.replaceAll(`https://gate.example.com/files/${file}?expires=1&#x26;signature=s`, await drawCrop(file));
  }
  const buttons = check.actions.map(({ label }) => `<button>${label}</button>`).join(' ');
  const state = `<small>${check.status} ${check.conclusion ?? ''} ${buttons}</small>`;
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><header>${check.title}${state}</header>${html}`;
}

await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findBrowser(null),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  for (const { width, colorScheme } of SIZES) {
    const page = await browser.newPage({ viewport: { width, height: 200 }, colorScheme });
    for (const [name, situation] of STATES) {
      const check = decideCheck(situation, null, links);
      await page.setContent(await toPage(check));
      await writeFile(
        path.join(FOLDER, `${name}-${width}.png`),
        await page.screenshot({ fullPage: true, animations: 'disabled' }),
      );
    }
  }
} finally {
  await browser.close();
}
process.stdout.write(`${STATES.length * SIZES.length} pictures in ${FOLDER}\n`);
