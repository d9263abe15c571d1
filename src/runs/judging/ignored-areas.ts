import type { Region } from '../../compare/region.ts';
import type { ElementMap, MappedElement } from '../../elements/element-map.ts';
import { selectElements } from '../../elements/select-elements.ts';
import { inTurns } from '../../in-turns.ts';
import type { RulesForPage } from '../../suites/page-rule.ts';

/** The boxes of the elements that the selectors match, in px of the screenshot. Others are served between selectors. */
async function boxesOf(map: ElementMap | null, selectors: string[]): Promise<Region[]> {
  if (map === null) return [];
  const found = new Set<MappedElement>();
  for await (const selector of inTurns(new Set(selectors))) {
    for (const element of selectElements(map, selector)) found.add(element);
  }
  return [...found]
    .map(({ box: [x, y, width, height] }) => ({ x, y, width, height }))
    .filter(({ width, height }) => width > 0 && height > 0);
}

/**
 * Where pixels do not count, in px of each screenshot. An element is ignored where it is now and where it was; boxes
 * that were drawn by hand are ignored in both.
 */
export async function ignoredAreas(
  { ignore, ignoreBoxes }: Pick<RulesForPage, 'ignore' | 'ignoreBoxes'>,
  maps: { baseline: ElementMap | null; current: ElementMap | null },
): Promise<{ baseline: Region[]; current: Region[] }> {
  return {
    baseline: [...(await boxesOf(maps.baseline, ignore)), ...ignoreBoxes],
    current: [...(await boxesOf(maps.current, ignore)), ...ignoreBoxes],
  };
}
