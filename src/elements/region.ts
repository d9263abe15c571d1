/** A rectangle, in whole pixels of an image unless noted. `x` and `y` are the position of its upper left corner. */
export type Region = { x: number; y: number; width: number; height: number };

/** A place on the canvas of two screenshots where they differ. */
export type ChangedRegion = Region & {
  /** The same place in px of the baseline and of the current screenshot. Null where that one has nothing but a gap. */
  baseline: Region | null;
  current: Region | null;
  /** Without a place in the baseline: the row of the baseline above which it was inserted. */
  insertedAt?: number;
  /** A person would hardly notice the difference. */
  faint: boolean;
  /** A hash of what the place shows before and after: equal for the same change in another place or image. */
  fingerprint: string;
  /** A hash of the differing pixels alone, without the equal pixels between and around them. */
  picture: string;
  /** A hash of all space that does not count beside the regions of a comparison: equal for each. Undefined: none. */
  space?: string;
};

export function regionOf([x, y, width, height]: readonly [number, number, number, number]): Region {
  return { x, y, width, height };
}

/** Only the rectangle of something that has one. */
export const boxOf = ({ x, y, width, height }: Region): Region => ({ x, y, width, height });

/** Equal for equal differences at the same place of the baseline, and for equal content that was inserted there. */
export function identifyRegion({ fingerprint, baseline, insertedAt, x, width }: ChangedRegion): string {
  return JSON.stringify([fingerprint, baseline === null ? { x, width, insertedAt } : boxOf(baseline)]);
}

/** Where in the baseline space was inserted, or begins that is gone. */
export const placeOfSpace = ({ x, width, baseline, insertedAt }: ChangedRegion): string =>
  JSON.stringify([x, width, baseline === null, baseline?.y ?? insertedAt]);

export const sizeOf = ({ width, height }: Region): number => width * height;

export const isEmpty = ({ width, height }: Region): boolean => width <= 0 || height <= 0;

export function unite(areas: Region[]): Region | null {
  const drawn = areas.filter((area) => !isEmpty(area));
  if (drawn.length === 0) return null;
  const x = Math.min(...drawn.map((area) => area.x));
  const y = Math.min(...drawn.map((area) => area.y));
  const right = Math.max(...drawn.map((area) => area.x + area.width));
  const bottom = Math.max(...drawn.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The number of pixels that both have. */
export function overlap(one: Region, other: Region): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

export const sharesRows = (one: Region, other: Region): boolean =>
  one.y < other.y + other.height && other.y < one.y + one.height;

export const sharesColumns = (one: Region, other: Region): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width;

export const isInside = (one: Region, other: Region): boolean =>
  one.x >= other.x &&
  one.y >= other.y &&
  one.x + one.width <= other.x + other.width &&
  one.y + one.height <= other.y + other.height;

export function expand({ x, y, width, height }: Region, by: number): Region {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** The pixels of the image that it touches. */
export function toWholePixels({ x, y, width, height }: Region): Region {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}
