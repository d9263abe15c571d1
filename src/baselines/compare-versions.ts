import { comparePictures } from '../compare/compare-pictures.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { pictureName, sha256Of } from '../storage/object-name.ts';
import type { BaselineVersion } from './baseline.ts';
import type { VersionComparison } from './comparison-store.ts';
import { findComparison, saveComparison } from './comparison-store.ts';
import type { VersionFor } from './read-baselines.ts';

function pictureMissing({ version }: BaselineVersion): AppError {
  const message = `The screenshot of version ${version} is missing from storage`;
  return new AppError('unavailable', message, { code: 'picture_missing' });
}

/** @throws AppError unavailable when the version's picture is missing. */
export async function assertPicture(ctx: Pick<Context, 'storage'>, version: BaselineVersion): Promise<void> {
  if ((await ctx.storage.stat(version.filePath)) === null) throw pictureMissing(version);
}

async function readPicture(ctx: Pick<Context, 'storage'>, version: BaselineVersion): Promise<Buffer> {
  const picture = await ctx.storage.get(version.filePath);
  if (picture === null) throw pictureMissing(version);
  return picture;
}

async function draw(
  ctx: Pick<Context, 'storage'>,
  from: BaselineVersion,
  to: BaselineVersion,
  threshold: number,
): Promise<VersionComparison> {
  const pictures = await Promise.all([readPicture(ctx, from), readPicture(ctx, to)]);
  const { diffImage, diffPercentage, width, height, regions } = await comparePictures(...pictures, { threshold });
  const compared = { diffPercentage, width, height, regions };
  if (diffImage === null) return { ...compared, diffFile: to.filePath };
  const diffFile = pictureName(from.testSuiteId, sha256Of(diffImage));
  await ctx.storage.put(diffFile, diffImage);
  return { ...compared, diffFile };
}

/**
 * Compares two versions with the color threshold of `from`'s suite. The diff image is made once per pair and stored. If
 * no pixel differs, the picture itself is the diff image.
 * @throws AppError unavailable when a picture is missing.
 */
export async function compareVersions(
  ctx: Pick<Context, 'db' | 'storage'>,
  from: VersionFor,
  to: VersionFor,
): Promise<VersionComparison> {
  const { threshold } = from.suite.config;
  const key = { fromVersionId: from.id, toVersionId: to.id, threshold };
  const kept = await findComparison(ctx.db, key);
  if (kept !== null) return kept;
  const drawn = await draw(ctx, from, to, threshold);
  await saveComparison(ctx.db, key, drawn);
  return drawn;
}
