import type { Elements } from './element-map.ts';

/** For each element of a map, by its index, whether it is one of a set. */
export type Marks = readonly boolean[];

/** The index of each element's parent, and of the sibling before it; -1: there is none. Both are before the element. */
export type Relations = { parents: readonly number[]; siblings: readonly number[] };

export function findRelations({ elements }: Elements): Relations {
  const newest = new Map<number, number>();
  const parents = elements.map(({ parent }, index) => (parent >= 0 && parent < index ? parent : -1));
  const siblings = parents.map((parent, index) => {
    const before = newest.get(parent) ?? -1;
    newest.set(parent, index);
    return before;
  });
  return { parents, siblings };
}

/** The elements whose link leads to a marked one, or with `far` any number of links. */
export function follow(links: readonly number[], marks: Marks, far: boolean): Marks {
  const found: boolean[] = [];
  for (const link of links) found.push(link !== -1 && (marks[link] === true || (far && found[link] === true)));
  return found;
}

/** The elements to which the link of a marked one leads, or with `far` any number of links. */
export function followBack(links: readonly number[], marks: Marks, far: boolean): Marks {
  const found = links.map(() => false);
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const link = links[index] ?? -1;
    if (link !== -1 && (marks[index] === true || (far && found[index] === true))) found[link] = true;
  }
  return found;
}

/** How many of the marked elements of its group come before each element, or after it. */
export function countBefore(groups: readonly (number | string)[], marks: Marks, reverse: boolean): number[] {
  const counts = new Map<number | string, number>();
  const found: number[] = groups.map(() => 0);
  for (let at = 0; at < groups.length; at += 1) {
    const index = reverse ? groups.length - 1 - at : at;
    const group = groups[index] ?? -1;
    const count = counts.get(group) ?? 0;
    found[index] = count;
    if (marks[index] === true) counts.set(group, count + 1);
  }
  return found;
}
