import type { ElementMap, MapPair, MappedElement } from '../element-map.ts';
import { isEmpty, regionOf, toWholePixels, type Region } from '../region.ts';
import type { HeardDifference, NamedPart } from './find-heard-differences.ts';

/** The height that is shown of a page when the place is unknown, px. */
const TOP = { x: 0, y: 0, width: 480, height: 120 };

/** Element maps cut names. */
const NAME_COMPARED = 60;

const isSame = ({ role, name, text }: MappedElement, part: NamedPart) => {
  const said = part.name.slice(0, NAME_COMPARED);
  if (part.role === 'text') return said !== '' && text.startsWith(said);
  return role === (part.role === 'image' ? 'img' : part.role) && name.slice(0, NAME_COMPARED) === said;
};

/** The only element that is named like this. Null: none, or several. */
function findBox(map: ElementMap | null, part: NamedPart | null): Region | null {
  if (map === null || part === null) return null;
  const [found, ...others] = map.elements.filter((element) => isSame(element, part));
  const box = found === undefined || others.length > 0 ? null : regionOf(found.box);
  return box === null || isEmpty(box) ? null : toWholePixels(box);
}

/** Where on the page a difference is, judging by the elements that were drawn. */
export function placeHeard(
  { was, is }: Pick<HeardDifference, 'was' | 'is'>,
  { baseline, current }: MapPair,
): {
  baselineBox: Region | null;
  currentBox: Region | null;
  canvasBox: Region;
  shownBox: Region;
} {
  const baselineBox = findBox(baseline, was);
  const currentBox = findBox(current ?? baseline, is) ?? (current === null ? baselineBox : null);
  const shown = currentBox ?? baselineBox ?? TOP;
  return { baselineBox, currentBox, canvasBox: shown, shownBox: shown };
}
