import type { Context } from '../../context.ts';
import { selectorAt } from '../../elements/element-at.ts';
import { boxOf, type Region } from '../../elements/region.ts';
import { conflict, invalid } from '../../errors.ts';
import { globsForPage, PageRule } from '../../suites/config/page-rule.ts';
import { addIgnoreRule } from '../../suites/update-suite.ts';
import type { ResultFor } from '../read-run.ts';
import { readMakings } from './element-maps.ts';

/** A place in a result that may be ignored. */
export type IgnorableArea = {
  /** The number of the change, from 1, in reading order. */
  number: number;
  /** In px of the current screenshot, or of the baseline if something is gone. */
  box: Region;
  /** A selector of the element that the change is in. Null when none is known. */
  selector: string | null;
};

/** The maximum number of places to choose from. */
const MAX_AREAS = 50;

/** The result's changes, at most 50, with the elements that they are in. */
export async function listIgnorableAreas(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  result: Pick<ResultFor, 'diffRegions' | 'baselineVersionId' | 'elementsFile'>,
): Promise<IgnorableArea[]> {
  const maps = await readMakings(ctx, result);
  return (result.diffRegions ?? []).slice(0, MAX_AREAS).map((region, index) => {
    const box = boxOf(region.current ?? region.baseline ?? region);
    const map = region.current === null ? maps.baseline : maps.current;
    return { number: index + 1, box, selector: map === null ? null : selectorAt(map, box) };
  });
}

/** What to ignore from now on: an element wherever it is, or a box, in px of the screenshot. */
export type AreaToIgnore = { selector: string } | { box: Region };

/**
 * Ignores an area on the result's page or on all pages, at its viewport or at all. It is added to the suite's rules,
 * and open gates are judged again without new screenshots. `undo`: removes it there.
 * @throws AppError invalid (an invalid selector, a box without an area); conflict when the result does not differ, or
 * the suite has too many rules.
 */
export async function ignoreArea(
  ctx: Pick<Context, 'db'>,
  { run, ...result }: ResultFor<'suite.edit'>,
  area: AreaToIgnore,
  { everyPage, everyViewport, undo = false }: { everyPage: boolean; everyViewport: boolean; undo?: boolean },
): Promise<void> {
  if (result.status !== 'FAIL' && !undo) throw conflict('The result has no change to ignore', 'no_change');
  const parsed = PageRule.safeParse({
    paths: everyPage ? ['**'] : globsForPage(result.path),
    ...(everyViewport ? {} : { viewports: [result.viewport] }),
    ...('selector' in area ? { ignore: [area.selector] } : { ignoreBoxes: [area.box] }),
  });
  if (!parsed.success) {
    throw invalid('This cannot be ignored', [
      { path: 'area', message: parsed.error.issues[0]?.message ?? 'is not valid' },
    ]);
  }
  await addIgnoreRule(ctx, run.suite, parsed.data, { undo });
}
