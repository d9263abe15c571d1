import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { openVisitorsBrowser, visit } from '../../support/visitor.ts';
import { PLACES, type Place } from './places.ts';
import { printSheet, type Picture } from './sheet.ts';
import { openTheater, type Theater } from './stage.ts';

const FOLDER = process.env['PICTURES_FOLDER'] ?? '';
const ONLY = (process.env['PICTURES_ONLY'] ?? '').toLowerCase();

const SIZES = [
  { width: 375, height: 812 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const WIDE = 2560;
const SCHEMES = ['light', 'dark'] as const;

/** px. What is below is not looked at. */
const TALLEST = 4000;

type Look = { browser: Browser; theater: Theater; size: (typeof SIZES)[number] };

const fileName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** What a person would notice without looking closely: the page is wider than the window. */
async function problems(page: Page): Promise<string[]> {
  const [wide, inside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
  return wide > inside ? [`${wide - inside} px wider than the window`] : [];
}

async function shoot(page: Page, width: number, file: string): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST) };
  const png = await page.screenshot({ fullPage: true, animations: 'disabled', clip });
  await sharp(png).webp({ quality: 85 }).toFile(path.join(FOLDER, file));
}

/** One place at one size, in light and dark. */
async function take({ browser, theater, size }: Look, place: Place): Promise<Picture[]> {
  const { who = 'owner' } = place;
  const signedIn = who === 'nobody' ? {} : { token: theater.tokens[who] };
  const { page, complaints, leave } = await visit(browser, theater.url, {
    viewport: size,
    timezoneId: 'UTC',
    ...signedIn,
  });
  page.setDefaultTimeout(5000);
  const found: string[] = [];
  try {
    await page.goto(place.at(theater.stage));
    await place.act?.(page);
    await page.evaluate(() => document.fonts.ready);
    found.push(...(await problems(page)));
  } catch (error) {
    found.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  const pictures: Picture[] = [];
  for (const colorScheme of SCHEMES) {
    const file = `${fileName(place.name)}-${size.width}-${colorScheme}.webp`;
    await page.emulateMedia({ colorScheme });
    await shoot(page, size.width, file);
    pictures.push({ place: place.name, file, width: size.width, colorScheme, problems: [...found, ...complaints] });
  }
  await leave();
  return pictures;
}

it('takes pictures of every page and state', async () => {
  await mkdir(FOLDER, { recursive: true });
  const [browser, theater] = [await openVisitorsBrowser(), await openTheater()];
  const pictures: Picture[] = [];
  try {
    for (const place of PLACES.filter(({ name }) => name.toLowerCase().includes(ONLY))) {
      for (const size of SIZES.filter(({ width }) => width < WIDE || place.wide === true)) {
        pictures.push(...(await take({ browser, theater, size }, place)));
      }
    }
  } finally {
    await writeFile(path.join(FOLDER, 'index.html'), printSheet(pictures));
    await browser.close();
    await theater.stop();
  }
  expect(pictures.flatMap(({ file, problems: each }) => each.map((problem) => `${file}: ${problem}`))).toEqual([]);
});
