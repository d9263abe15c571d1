export const CHANGE_KINDS = [
  'ADDED',
  'REMOVED',
  'MOVED',
  'RESIZED',
  'RESTYLED',
  'TEXT',
  'IMAGE',
  'PIXELS',
  'ACCESSIBILITY',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A rectangle of an image, px. */
export type Area = { x: number; y: number; width: number; height: number };

/**
 * A place on the canvas where two screenshots differ, and the same place in each of them. Null if that one has a gap
 * there.
 */
export type ChangedArea = Area & {
  baseline: Area | null;
  current: Area | null;
  faint: boolean;
  fingerprint: string;
  /** A hash of the pixels that differ, before and after. */
  picture: string;
};

/** What happened to an element, as far as it shows: it explains some of the differences between two screenshots. */
export type PageChange = {
  /** The same for the same change on another page, at another viewport or at another place. 32 hexadecimal digits. */
  key: string;
  kind: ChangeKind;
  /** A short CSS selector; '' when there is no element map. For ACCESSIBILITY: role and name. */
  element: string;
  /** What happened to the element, in words that follow its name: `background #1a7f37 → #0969da`. */
  summary: string;
  before: string | null;
  after: string | null;
  baselineBox: Area | null;
  currentBox: Area | null;
  /** Around all differences that it caused. */
  canvasBox: Area;
  /** Also on the canvas: around the differences that it shows itself, without consequences elsewhere. */
  shownBox: Area;
  /** A person would hardly see any of its differences. */
  faint: boolean;
  /** A hash of what it shows, which may differ on another page. 32 hexadecimal digits. */
  picture: string;
};

export function areaOf([x, y, width, height]: readonly [number, number, number, number]): Area {
  return { x, y, width, height };
}

export const isEmpty = ({ width, height }: Area): boolean => width <= 0 || height <= 0;

export function unite(areas: Area[]): Area | null {
  const drawn = areas.filter((area) => !isEmpty(area));
  if (drawn.length === 0) return null;
  const x = Math.min(...drawn.map((area) => area.x));
  const y = Math.min(...drawn.map((area) => area.y));
  const right = Math.max(...drawn.map((area) => area.x + area.width));
  const bottom = Math.max(...drawn.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The number of pixels that both have. */
export function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

export const sharesRows = (one: Area, other: Area): boolean =>
  one.y < other.y + other.height && other.y < one.y + one.height;

export const sharesColumns = (one: Area, other: Area): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width;

export function expand({ x, y, width, height }: Area, by: number): Area {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** The pixels of the image that it touches. */
export function toWholePixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}
