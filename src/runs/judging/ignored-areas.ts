import type { Region } from '../../compare/region.ts';
import type { ElementMap } from '../../elements/element-map.ts';
import { selectElements } from '../../elements/select-elements.ts';
import type { RulesForPage } from '../../suites/page-rule.ts';

/** The boxes of the elements that the selectors match, in px of the screenshot. */
function boxesOf(map: ElementMap | null, selectors: string[]): Region[] {
  if (map === null) return [];
  return selectors
    .flatMap((selector) => selectElements(map, selector))
    .map(({ box: [x, y, width, height] }) => ({ x, y, width, height }))
    .filter(({ width, height }) => width > 0 && height > 0);
}

/**
 * Where pixels do not count, in px of each screenshot. An element is ignored where it is now and where it was; boxes
 * that were drawn by hand are ignored in both.
 */
export function ignoredAreas(
  { ignore, ignoreBoxes }: Pick<RulesForPage, 'ignore' | 'ignoreBoxes'>,
  maps: { baseline: ElementMap | null; current: ElementMap | null },
): { baseline: Region[]; current: Region[] } {
  return {
    baseline: [...boxesOf(maps.baseline, ignore), ...ignoreBoxes],
    current: [...boxesOf(maps.current, ignore), ...ignoreBoxes],
  };
}
