import { sameEngine } from '../../capture/browser/engine-parts.ts';
import type { Comparison } from '../../compare/compare-images.ts';
import type { Context } from '../../context.ts';
import type { ElementMap } from '../../elements/element-map.ts';
import { settingsForPage, type Place } from '../../suites/config/page-rule.ts';
import { judgeDiff, type PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { ignoredAreas } from './ignored-areas.ts';

type Side = { image: Buffer; map: ElementMap | null };
type Sides = { before: Side; after: Side };

/**
 * Compares two screenshots of a page by the run's configuration and rules. `images`: creates the images that show the
 * difference.
 */
export async function compareByRules(
  { compareImages }: Pick<Context, 'compareImages'>,
  { config }: Pick<Run, 'config'>,
  page: Place,
  { before, after }: Sides,
  { images }: { images: boolean } = { images: true },
): Promise<Comparison> {
  const settings = settingsForPage(config, page);
  return compareImages(before.image, after.image, {
    threshold: settings.threshold,
    alignment: config.alignment,
    cut: !config.fullPage,
    images,
    ignore: await ignoredAreas(settings, { baseline: before.map, current: after.map }),
  });
}

/** Whether two screenshots of a page count as the same. */
export function passes(
  { config }: Pick<Run, 'config'>,
  page: Place,
  { diffPercentage, faint }: Pick<Comparison, 'diffPercentage' | 'faint'>,
): boolean {
  return (
    judgeDiff(diffPercentage, settingsForPage(config, page).failureThreshold) === 'PASS' ||
    (config.ignoreFaint && faint)
  );
}

/** A faint difference from a screenshot that another browser made. Unknown parts count as equal. */
export function isOfAnotherEngine(
  { captureEngine }: Pick<PageResult, 'captureEngine'>,
  { faint }: Pick<Comparison, 'faint'>,
  baselineEngine: string | null,
): boolean {
  return faint && captureEngine !== null && baselineEngine !== null && !sameEngine(baselineEngine, captureEngine);
}

/**
 * Whether nothing has to be compared, because the screenshot equals the baseline, and so does the one with the settings
 * of the base, and assistive technology is told the same, as far as that is known.
 */
export const isAsBaseline = (
  { currentFile, baseFile, heardFile }: Pick<PageResult, 'currentFile' | 'baseFile' | 'heardFile'>,
  baseline: { filePath: string; heardFile: string | null },
): boolean => {
  const isHeard = heardFile === null || baseline.heardFile === null || heardFile === baseline.heardFile;
  return isHeard && currentFile === baseline.filePath && (baseFile === null || baseFile === baseline.filePath);
};
