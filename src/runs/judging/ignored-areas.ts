import { inTurns } from '../../async/batches.ts';
import type { CaptureWarning } from '../../capture/browser/browser.ts';
import type { Context } from '../../context.ts';
import type { ElementMap, MapPair, MappedElement } from '../../elements/element-map.ts';
import { isEmpty, isInside, overlap, regionOf, type Region } from '../../elements/region.ts';
import { selectElements } from '../../elements/select-elements.ts';
import type { Size } from '../../png/image.ts';
import { rulesForPage, type RulesForPage } from '../../suites/config/page-rule.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import { formatPercent } from '../../text/format.ts';
import type { ResultFor } from '../read-run.ts';
import { readMakings } from './element-maps.ts';

/** A `clip-path` that leaves nothing of an element, such as that of a menu that opens from an edge or a corner. */
const CUT_AWAY = /^(?:circle\(0(?:px|%)?[ )]|inset\((?:[^)]* )?100%|inset\(50%\))/;

/** Invisible elements above the page, such as a closed menu: what shows in their boxes is the page below. */
function findUnseen({ elements }: ElementMap): Set<MappedElement> {
  const [above, faded] = [new Set<MappedElement | undefined>(), new Set<MappedElement | undefined>()];
  const isUnseen = (element: MappedElement) => {
    const { position, opacity, visibility, 'clip-path': clipPath } = element.styles;
    const parent = elements[element.parent];
    if (above.has(parent) || position === 'absolute' || position === 'fixed') above.add(element);
    if (faded.has(parent) || opacity === '0' || CUT_AWAY.test(clipPath)) faded.add(element);
    return above.has(element) && (faded.has(element) || visibility === 'hidden');
  };
  return new Set(elements.filter(isUnseen));
}

/** The boxes of these elements, and of their descendants that reach beyond them. */
function boxesOf(map: ElementMap, found: ReadonlySet<MappedElement>): Region[] {
  const { elements } = map;
  const unseen = findUnseen(map);
  const boxes = new Map<MappedElement, Region>();
  const needed: Region[] = [];
  // Parents come before their children.
  for (const element of elements) {
    const parent = elements[element.parent];
    const around = parent && boxes.get(parent);
    if (around === undefined && !found.has(element)) continue;
    const box = regionOf(unseen.has(element) ? [0, 0, 0, 0] : element.box);
    boxes.set(element, box);
    if (!isEmpty(box) && !(around && isInside(box, around))) needed.push(box);
  }
  return needed;
}

/**
 * The places of the elements that the selectors match, in px of the screenshot. Other work can run between selectors.
 */
async function areasOf(map: ElementMap | null, selectors: string[]): Promise<Region[]> {
  if (map === null) return [];
  const found = new Set<MappedElement>();
  for await (const selector of inTurns(new Set(selectors))) {
    for (const element of selectElements(map, selector)) found.add(element);
  }
  return boxesOf(map, found);
}

/**
 * Where pixels do not count, in px of each screenshot. An element is ignored where it is now and where it was; boxes
 * that were drawn by hand are ignored in both.
 */
export async function ignoredAreas(
  { ignore, ignoreBoxes }: Pick<RulesForPage, 'ignore' | 'ignoreBoxes'>,
  maps: MapPair,
): Promise<{ baseline: Region[]; current: Region[] }> {
  return {
    baseline: [...(await areasOf(maps.baseline, ignore)), ...ignoreBoxes],
    current: [...(await areasOf(maps.current, ignore)), ...ignoreBoxes],
  };
}

/** The code of the warning below. It is about the comparison, not about the capture. */
export const COVERED = 'window_ignored';

/**
 * A warning if one ignored area covers the whole window, such as the empty layer in which a library shows its notices:
 * the page passes whatever happens there. `width` and `height` are those of the screenshot, px.
 */
export function warnOfCover(
  { viewports }: Pick<SuiteConfig, 'viewports'>,
  viewport: string,
  { ignored, width, height }: { ignored: Region[] } & Size,
): CaptureWarning[] {
  const size = viewports.find(({ name }) => name === viewport);
  if (size === undefined) return [];
  const shown = (px: number, most: number) => Math.min(most, Math.floor(px * size.deviceScaleFactor));
  const window = { x: 0, y: 0, width: shown(size.width, width), height: shown(size.height, height) };
  const covering = ignored.filter((area) => isInside(window, area));
  if (covering.length === 0) return [];
  const share = Math.max(...covering.map((area) => overlap(area, { x: 0, y: 0, width, height }))) / (width * height);
  const message = `An ignored area covers the whole window (${formatPercent(100 * share)} of the screenshot), so changes there pass unseen`;
  return [{ code: COVERED, message }];
}

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
