/** Above this many comparisons, only items that occur once on each side are aligned. */
const MAX_CELLS = 1_000_000;

export type Aligned<T> = [T, T][];

/** The indexes of the longest sequence of places that ascends (patience sorting), in order. */
export function longestAscending(places: readonly number[]): number[] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [index, place] of places.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[tails[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before.push(tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const chosen: number[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) chosen.push(at);
  return chosen.toReversed();
}

function alignUnique<T>(one: T[], other: T[], keyOf: (item: T) => number | string): Aligned<T> {
  const places = new Map<number | string, number | null>();
  for (const [place, item] of other.entries()) places.set(keyOf(item), places.has(keyOf(item)) ? null : place);
  const counts = new Map<number | string, number>();
  for (const item of one) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const unique = one.flatMap((item) => {
    const place = places.get(keyOf(item)) ?? null;
    return place === null || counts.get(keyOf(item)) !== 1 ? [] : [{ item, place }];
  });
  const chosen = longestAscending(unique.map(({ place }) => place));
  return chosen.flatMap((index): Aligned<T> => {
    const pair = unique[index];
    const partner = pair && other[pair.place];
    return pair === undefined || partner === undefined ? [] : [[pair.item, partner]];
  });
}

/** The pairs, in order, with the highest sum of scores. A score of 0 is no pair. */
export function alignBest<T>(one: T[], other: T[], scoreOf: (item: T, partner: T) => number): Aligned<T> {
  const width = other.length + 1;
  const sums = new Float64Array((one.length + 1) * width);
  const scores = one.map((item) => other.map((partner) => scoreOf(item, partner)));
  const sum = (row: number, column: number) => sums[row * width + column] ?? 0;
  const score = (row: number, column: number) => scores[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const together = score(row, column) > 0 ? score(row, column) + sum(row + 1, column + 1) : 0;
      sums[row * width + column] = Math.max(together, sum(row + 1, column), sum(row, column + 1));
    }
  }
  const pairs: Aligned<T> = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    const [item, partner] = [one[row], other[column]];
    const worth = score(row, column);
    if (
      item !== undefined &&
      partner !== undefined &&
      worth > 0 &&
      sum(row, column) === worth + sum(row + 1, column + 1)
    ) {
      pairs.push([item, partner]);
      row += 1;
      column += 1;
    } else if (sum(row, column) === sum(row + 1, column)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Equal items of two lists, in order: as many as possible, or, for long lists, those that occur once. */
export function alignEqual<T>(one: T[], other: T[], keyOf: (item: T) => number | string): Aligned<T> {
  let start = 0;
  const shorter = Math.min(one.length, other.length);
  const isSame = (item: T | undefined, partner: T | undefined) =>
    item !== undefined && partner !== undefined && keyOf(item) === keyOf(partner);
  while (start < shorter && isSame(one[start], other[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(one.at(-1 - end), other.at(-1 - end))) end += 1;
  const [middle, otherMiddle] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const inside =
    middle.length * otherMiddle.length > MAX_CELLS
      ? alignUnique(middle, otherMiddle, keyOf)
      : alignBest(middle, otherMiddle, (item, partner) => (keyOf(item) === keyOf(partner) ? 1 : 0));
  const pair = (index: number, otherIndex: number): Aligned<T> => {
    const [item, partner] = [one[index], other[otherIndex]];
    return item === undefined || partner === undefined ? [] : [[item, partner]];
  };
  const head = Array.from({ length: start }, (_, index) => pair(index, index)).flat();
  const tail = Array.from({ length: end }, (_, index) =>
    pair(one.length - end + index, other.length - end + index),
  ).flat();
  return [...head, ...inside, ...tail];
}

/** The parts of both lists between the pairs. */
export function gapsBetween<T>(one: T[], other: T[], pairs: Aligned<T>): { one: T[]; other: T[] }[] {
  const gaps: { one: T[]; other: T[] }[] = [];
  let [row, column] = [0, 0];
  const close = (end: number, otherEnd: number) => {
    const gap = { one: one.slice(row, end), other: other.slice(column, otherEnd) };
    if (gap.one.length > 0 && gap.other.length > 0) gaps.push(gap);
  };
  for (const [item, partner] of pairs) {
    const [end, otherEnd] = [one.indexOf(item, row), other.indexOf(partner, column)];
    close(end, otherEnd);
    [row, column] = [end + 1, otherEnd + 1];
  }
  close(one.length, other.length);
  return gaps;
}
