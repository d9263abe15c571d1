import type { Region } from '../../compare/region.ts';
import type { Context } from '../../context.ts';
import { rulesForPage } from '../../suites/config/page-rule.ts';
import type { ResultFor } from '../read-run.ts';
import { readMakings } from './element-maps.ts';
import { ignoredAreas } from './ignored-areas.ts';

/**
 * The areas that were not compared, in px of each original screenshot. `ignoredBoxes` are the same areas on the diff
 * image.
 */
export async function readIgnoredAreas(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  { run, ...result }: ResultFor,
): Promise<{ baseline: Region[]; current: Region[] }> {
  return ignoredAreas(rulesForPage(run.config.rules, result), await readMakings(ctx, result));
}
