import { formatNumber } from '../../../text/format.ts';

/** One item of a list, or several faint changes that are folded. */
export type Folded<T> = { one: T; faint: null } | { one: null; faint: { label: string; open: boolean; items: T[] } };

/**
 * Folds the faint changes of a list, which come one after the other.
 * @param isOpen whether the item must be seen, such as the one that is shown beside the list
 */
export function foldFaint<T>(
  items: T[],
  isFaint: (item: T) => boolean,
  isOpen: (item: T) => boolean = () => false,
): Folded<T>[] {
  const first = items.findIndex(isFaint);
  if (first === -1) return items.map((one) => ({ one, faint: null }));
  const end = items.findIndex((item, index) => index > first && !isFaint(item));
  const faint = items.slice(first, end === -1 ? items.length : end);
  const rest = end === -1 ? [] : items.slice(end);
  return [
    ...items.slice(0, first).map((one) => ({ one, faint: null })),
    {
      one: null,
      faint: { label: `Faint changes (${formatNumber(faint.length)})`, open: faint.some(isOpen), items: faint },
    },
    ...foldFaint(rest, isFaint, isOpen),
  ];
}
