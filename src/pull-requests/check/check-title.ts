import { cut } from '../../text/cut.ts';

/** How many characters of a title GitHub shows in the list of checks. */
export const MAX_TITLE = 60;

/** The first wording that fits. If none does, the last one is cut. */
export function fitTitle(first: string, ...shorter: string[]): string {
  const all = [first, ...shorter];
  return all.find((title) => title.length <= MAX_TITLE) ?? cut(all.at(-1) ?? first, MAX_TITLE);
}

/** A title that contains a name, which is shortened to the remaining space. */
export function fitName(name: string, toTitle: (name: string) => string): string {
  return toTitle(cut(name, Math.max(1, MAX_TITLE - toTitle('').length)));
}
