import { hash, joinPictures, ownAreas, pictureOf } from './change-picture.ts';
import type { ElementChange } from './element-change.ts';
import type { ElementMap, MapPair } from './element-map.ts';
import type { TreeNode } from './element-tree.ts';
import { explainArea, reaches, type Explained } from './explain-areas.ts';
import { findElementChanges } from './find-element-changes.ts';
import { PICTURES } from './layout-cascade.ts';
import { matchElements } from './match-elements.ts';
import { nameBoth, nameElement } from './name-element.ts';
import type { ChangeKind, PageChange } from './page-change.ts';
import { boxOf, overlap, sizeOf, toWholePixels, unite, type ChangedRegion, type Region } from './region.ts';

/** More would not help a reviewer, who sees the image. */
const MAX_CHANGES = 100;

const keyOf = (kind: ChangeKind, about: string, what: string) => hash([kind, about, what]);

const isPicture = ({ element }: TreeNode) =>
  PICTURES.has(element.tag) ||
  ['path', 'image'].includes(element.tag) ||
  !['', 'none'].includes(element.styles['background-image']);

/** An area in which only pixels differ, of a picture or anything else. */
function describePixels({ area, element }: Pick<Explained, 'area' | 'element'>): PageChange {
  const name = element === null ? '' : nameElement(element);
  const isImage = element !== null && isPicture(element);
  const kind = isImage ? 'IMAGE' : 'PIXELS';
  const { src } = element?.element.attributes ?? {};
  const what = isImage && src !== undefined ? src.replace(/^(?:https?:)?\/\/[^/]*/i, '') : area.fingerprint;
  return {
    // Only a picture with an address is identified by it everywhere. Otherwise the pixels themselves identify it.
    key: keyOf(kind, what === area.fingerprint ? '' : name, what),
    kind,
    element: name,
    summary: isImage ? 'image content changed' : 'pixels changed',
    before: null,
    after: null,
    baselineBox: area.baseline,
    currentBox: area.current,
    canvasBox: boxOf(area),
    shownBox: boxOf(area),
    faint: area.faint,
    picture: area.picture,
  };
}

/** The element's box, unless only a small part of it differs. */
function pickBox(boxes: Region[], areas: (Region | null)[]): Region | null {
  const [box, differing] = [unite(boxes), unite(areas.filter((area) => area !== null))];
  if (box === null) return null;
  const picked =
    differing !== null && sizeOf(box) > 4 * sizeOf(differing) && overlap(box, differing) > 0 ? differing : box;
  return toWholePixels(picked);
}

function describeChange(change: ElementChange, areas: ChangedRegion[]): PageChange | null {
  const canvasBox = unite(areas);
  if (canvasBox === null) return null;
  const { kind, element, summary, before, after } = change;
  const own = ownAreas(areas, change);
  return {
    key: keyOf(kind, change.about, change.what),
    kind,
    element,
    summary,
    before,
    after,
    baselineBox: pickBox(
      change.baseline,
      areas.map(({ baseline }) => baseline),
    ),
    currentBox: pickBox(
      change.current,
      areas.map(({ current }) => current),
    ),
    canvasBox,
    shownBox: unite(own) ?? canvasBox,
    faint: areas.every(({ faint }) => faint),
    picture: pictureOf(own),
  };
}

/** Where several changes are shown together. */
const uniteBoxes = (changes: PageChange[]) => ({
  baselineBox: unite(changes.flatMap(({ baselineBox }) => baselineBox ?? [])),
  currentBox: unite(changes.flatMap(({ currentBox }) => currentBox ?? [])),
});

/**
 * Changes beyond the limit are combined into one change of their own, so that nobody approves them with another one.
 */
function joinRest(rest: PageChange[]): PageChange[] {
  const canvasBox = unite(rest.map((change) => change.canvasBox));
  if (canvasBox === null) return [];
  const [kind, element] = ['PIXELS' as const, ''];
  return [
    {
      key: keyOf(kind, element, rest.map(({ key }) => key).join()),
      kind,
      element,
      summary: `${rest.length} other changes`,
      before: null,
      after: null,
      ...uniteBoxes(rest),
      canvasBox,
      shownBox: unite(rest.map(({ shownBox }) => shownBox)) ?? canvasBox,
      faint: rest.every(({ faint }) => faint),
      picture: joinPictures(rest.map(({ picture }) => picture)),
    },
  ];
}

const mergeChanges = (one: PageChange, other: PageChange): PageChange => ({
  ...one,
  // One place stands for those that look the same.
  ...(one.picture === other.picture ? {} : uniteBoxes([one, other])),
  element: nameBoth(one.element, other.element),
  canvasBox: unite([one.canvasBox, other.canvasBox]) ?? one.canvasBox,
  shownBox: unite([one.shownBox, other.shownBox]) ?? one.shownBox,
  faint: one.faint && other.faint,
});

/** Several places with one key are one change, whose box surrounds all of them. */
function mergeSame(changes: PageChange[]): PageChange[] {
  const byKey = new Map<string, PageChange[]>();
  for (const change of changes) byKey.set(change.key, [...(byKey.get(change.key) ?? []), change]);
  const all = [...byKey.values()].map((places) => ({
    ...places.reduce(mergeChanges),
    picture: joinPictures(places.map(({ picture }) => picture)),
  }));
  return all.length <= MAX_CHANGES ? all : [...all.slice(0, MAX_CHANGES - 1), ...joinRest(all.slice(MAX_CHANGES - 1))];
}

type Differing = { areas: ChangedRegion[]; filler: ChangedRegion[] };

function explain(baseline: ElementMap, current: ElementMap, { areas, filler }: Differing, scale: number): PageChange[] {
  const matching = matchElements(baseline, current);
  const changes = findElementChanges(matching, scale);
  const explained = areas.map((area) => explainArea(area, changes, matching));
  const byChange = new Map<ElementChange, ChangedRegion[]>();
  for (const { area, changes: found } of explained) {
    for (const change of found) byChange.set(change, [...(byChange.get(change) ?? []), area]);
  }
  // What moved its surroundings, and shows only in space that another change made.
  for (const change of changes.filter((each) => each.moves && !byChange.has(each))) {
    const space = filler.filter((area) => reaches(change, area));
    if (space.length > 0) byChange.set(change, space);
  }
  const named = changes.flatMap((change) => describeChange(change, byChange.get(change) ?? []) ?? []);
  return [...named, ...explained.filter((each) => each.changes.length === 0).map(describePixels)];
}

/**
 * What changed between two screenshots of a page, in the order in which changes are found, at most 100. Every area
 * belongs to at least one change. Without both maps, areas that show the same are one change.
 * @param scale Pixels of the image for each CSS px.
 * @param filler Space that does not count as different. A change that shows nowhere else is found there.
 */
export function findChanges(
  { baseline, current }: MapPair,
  areas: ChangedRegion[],
  scale = 1,
  filler: ChangedRegion[] = [],
): PageChange[] {
  const changes =
    baseline === null || current === null
      ? areas.map((area) => describePixels({ area, element: null }))
      : explain(baseline, current, { areas, filler }, scale);
  return mergeSame(changes);
}
