import type { Context } from '../context.ts';
import type { BaselineVersion } from './baseline.ts';
import { compareScreenshots, type NamedScreenshot } from './compare-screenshots.ts';
import type { ScreenshotComparison } from './comparison-store.ts';
import type { VersionFor } from './read-baselines.ts';

export const screenshotOfVersion = ({ filePath, version }: BaselineVersion): NamedScreenshot => ({
  file: filePath,
  name: `version ${version}`,
});

/**
 * Compares two versions as the suite of `from` compares screenshots.
 * @throws AppError unavailable when a screenshot is missing, and when too many comparisons wait.
 */
export async function compareVersions(
  ctx: Pick<Context, 'db' | 'storage' | 'compareImages'>,
  from: VersionFor,
  to: VersionFor,
): Promise<ScreenshotComparison> {
  return compareScreenshots(ctx, from.suite, screenshotOfVersion(from), screenshotOfVersion(to));
}
