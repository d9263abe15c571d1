import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { imageName, sha256Of } from '../storage/object-name.ts';
import type { BaselineVersion } from './baseline.ts';
import type { VersionComparison } from './comparison-store.ts';
import { findComparison, saveComparison } from './comparison-store.ts';
import type { VersionFor } from './read-baselines.ts';

function screenshotMissing({ version }: BaselineVersion): AppError {
  const message = `The screenshot of version ${version} is missing from storage`;
  return new AppError('unavailable', message, { code: 'picture_missing' });
}

/** @throws AppError unavailable when the version's screenshot is missing. */
export async function assertScreenshotStored(ctx: Pick<Context, 'storage'>, version: BaselineVersion): Promise<void> {
  if ((await ctx.storage.stat(version.filePath)) === null) throw screenshotMissing(version);
}

async function readImage(ctx: Pick<Context, 'storage'>, version: BaselineVersion): Promise<Buffer> {
  const screenshot = await ctx.storage.get(version.filePath);
  if (screenshot === null) throw screenshotMissing(version);
  return screenshot;
}

async function store(ctx: Pick<Context, 'storage'>, suiteId: string, image: Buffer): Promise<string> {
  const name = imageName(suiteId, sha256Of(image));
  await ctx.storage.put(name, image);
  return name;
}

async function draw(
  ctx: Pick<Context, 'storage' | 'compareImages'>,
  from: BaselineVersion,
  to: BaselineVersion,
  options: { threshold: number; alignment: boolean },
): Promise<VersionComparison> {
  const screenshots = await Promise.all([readImage(ctx, from), readImage(ctx, to)]);
  const { diffImage, aligned, diffPercentage, width, height, regions } = await ctx.compareImages(
    ...screenshots,
    options,
  );
  const keep = async (image: Buffer) => store(ctx, from.testSuiteId, image);
  return {
    diffPercentage,
    width,
    height,
    regions,
    diffFile: diffImage === null ? to.filePath : await keep(diffImage),
    alignedFromFile: aligned === null ? null : await keep(aligned.baseline),
    alignedToFile: aligned === null ? null : await keep(aligned.current),
  };
}

/**
 * Compares two versions as the suite of `from` compares screenshots. The diff image is made once per pair and stored. If
 * no pixel differs, the screenshot itself is the diff image.
 * @throws AppError unavailable when a screenshot is missing, and when too many comparisons wait.
 */
export async function compareVersions(
  ctx: Pick<Context, 'db' | 'storage' | 'compareImages'>,
  from: VersionFor,
  to: VersionFor,
): Promise<VersionComparison> {
  const { threshold, alignment } = from.suite.config;
  const key = { fromVersionId: from.id, toVersionId: to.id, threshold, alignment };
  const kept = await findComparison(ctx.db, key);
  if (kept !== null) return kept;
  const drawn = await draw(ctx, from, to, { threshold, alignment });
  await saveComparison(ctx.db, key, drawn);
  return drawn;
}
