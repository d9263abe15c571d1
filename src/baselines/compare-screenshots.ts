import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict, type AppError } from '../errors.ts';
import { imageName } from '../storage/object-name.ts';
import { isWholeImage } from '../storage/read-image-size.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { sha256Of } from '../text/sha256.ts';
import type { BaselineVersion, CompareSettings } from './baseline.ts';
import { deleteComparisons, findComparison, saveComparison, type ScreenshotComparison } from './comparison-store.ts';
import type { VersionFor } from './read-baselines.ts';

/** A stored screenshot. `name` is what people call it, such as `version 3`. */
export type NamedScreenshot = { file: string; name: string };

type CompareContext = Pick<Context, 'db' | 'storage' | 'compareImages'>;

function screenshotMissing({ name }: NamedScreenshot): AppError {
  return conflict(`The screenshot of ${name} is no longer in storage`, 'picture_missing');
}

/** @throws AppError conflict when it is missing, or cut off. */
export async function assertScreenshotStored(
  { storage }: Pick<Context, 'storage'>,
  screenshot: NamedScreenshot,
): Promise<void> {
  if (!(await isWholeImage(storage, screenshot.file))) throw screenshotMissing(screenshot);
}

async function readImage({ storage }: Pick<Context, 'storage'>, screenshot: NamedScreenshot): Promise<Buffer> {
  const image = await storage.get(screenshot.file);
  if (image === null) throw screenshotMissing(screenshot);
  return image;
}

/** Stores an image that a comparison made. @returns its object name. */
export async function storeImage(
  { storage }: Pick<Context, 'storage'>,
  suiteId: string,
  image: Buffer | null,
): Promise<string | null> {
  if (image === null) return null;
  const name = imageName(suiteId, sha256Of(image));
  await storage.put(name, image);
  return name;
}

async function draw(
  ctx: CompareContext,
  suiteId: string,
  { from, to }: { from: NamedScreenshot; to: NamedScreenshot },
  options: CompareSettings,
): Promise<ScreenshotComparison> {
  const screenshots = await Promise.all([readImage(ctx, from), readImage(ctx, to)]);
  const compared = await ctx.compareImages(...screenshots, options);
  const { diffImage, aligned, diffPercentage, width, height, regions } = compared;
  return {
    diffPercentage,
    width,
    height,
    regions,
    diffFile: (await storeImage(ctx, suiteId, diffImage)) ?? to.file,
    alignedFromFile: await storeImage(ctx, suiteId, aligned?.baseline ?? null),
    alignedToFile: await storeImage(ctx, suiteId, aligned?.current ?? null),
  };
}

/**
 * Compares any two screenshots as the suite compares. The diff image is made once per pair and stored. If no pixel
 * differs, the screenshot itself is the diff image.
 * @throws AppError conflict when a screenshot is missing; unavailable when too many comparisons wait.
 */
export async function compareScreenshots(
  ctx: CompareContext,
  { id, config }: Pick<SuiteFor, 'id' | 'config'>,
  from: NamedScreenshot,
  to: NamedScreenshot,
): Promise<ScreenshotComparison> {
  const { threshold, alignment } = config;
  const key = { testSuiteId: id, fromFile: from.file, toFile: to.file, threshold, alignment };
  const kept = await findComparison(ctx.db, key);
  if (kept !== null) return kept;
  const drawn = await draw(ctx, id, { from, to }, { threshold, alignment });
  await saveComparison(ctx.db, key, drawn);
  return drawn;
}

export const screenshotOfVersion = ({ filePath, version }: BaselineVersion): NamedScreenshot => ({
  file: filePath,
  name: `version ${version}`,
});

/**
 * Compares two versions as the suite of `from` compares screenshots.
 * @throws AppError conflict when a screenshot is missing; unavailable when too many comparisons wait.
 */
export async function compareVersions(
  ctx: Pick<Context, 'db' | 'storage' | 'compareImages'>,
  from: VersionFor,
  to: VersionFor,
): Promise<ScreenshotComparison> {
  return compareScreenshots(ctx, from.suite, screenshotOfVersion(from), screenshotOfVersion(to));
}

const DAY_MS = 86_400_000;
/** They are made again when somebody looks. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 1000;

/** Forgets what old comparisons of two versions came to. @returns the objects that they named. */
export async function forgetComparisons(trx: Db, suiteId: string, now: Date): Promise<string[]> {
  return deleteComparisons(trx, suiteId, new Date(now.getTime() - KEPT_MS), AT_ONCE);
}
