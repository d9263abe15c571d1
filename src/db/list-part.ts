/** Which part of a list is wanted: at most `limit` items after the last item of the part before. */
export type ListPart<Place> = { limit: number; after: Place | null };

/** A part of a list. `next`: the place of its last item, after which the next part begins; null at the end. */
export type Listed<T, Place> = { items: T[]; next: Place | null };

/**
 * The position in a list that is ordered by creation time: this time, to the microsecond as PostgreSQL writes it, and the
 * id.
 */
export type TimePlace = [createdAt: string, id: string];

/** A part of such a list. It begins with the first item unless it says otherwise. */
export type TimePart = { limit: number; after?: TimePlace | null; offset?: number };

/** @param found what the store found for one item more than `limit`, which tells whether there is more. */
export function cutList<T, Place>(found: T[], limit: number, placeOf: (item: T) => Place): Listed<T, Place> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}

/** A part of a list that is in memory. @param isLater whether an item comes after a position whose own item is gone. */
export function cutWhole<T extends { id: string }>(
  all: T[],
  { limit, after }: ListPart<[sortedBy: string, id: string]>,
  sortedBy: (item: T) => string,
  isLater: (item: T, than: string) => boolean,
): Listed<T, [string, string]> {
  const at = after === null ? -1 : all.findIndex(({ id }) => id === after[1]);
  const rest = after === null || at >= 0 ? all.slice(at + 1) : all.filter((item) => isLater(item, after[0]));
  return cutList(rest, limit, (item) => [sortedBy(item), item.id]);
}

/** The same of a list that is ordered by creation time, newest first. */
export function cutNewest<T extends { id: string; createdAt: Date }>(all: T[], part: ListPart<TimePlace>) {
  const madeAt = ({ createdAt }: T) => createdAt.toISOString();
  return cutWhole(all, part, madeAt, (item, than) => madeAt(item) < than);
}
