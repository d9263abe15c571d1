import { orNull } from '../errors.ts';

/** Bytes outside of ASCII, as URLs have them. */
const ENCODED = /(?:%[89A-F][0-9A-F])+/gi;

/** What cannot be seen, or changes the direction of text, could make two paths look the same. */
const UNSEEN = /[\p{C}\p{Z}]/gu;

/** The path of a page for people: `/東京` instead of `/%E6%9D%B1%E4%BA%AC`. ASCII stays as it is. */
export function readablePath(path: string): string {
  return path.replaceAll(ENCODED, (bytes) => {
    const text = orNull(() => decodeURIComponent(bytes));
    return text === null ? bytes : text.replaceAll(UNSEEN, (character) => encodeURIComponent(character));
  });
}

/** Where a screenshot is from, for people: `/東京 at desktop`. */
export const namePlace = ({ path, viewport }: { path: string; viewport: string }): string =>
  `${readablePath(path)} at ${viewport}`;

/** What people type of a path, as paths are stored: with everything outside of ASCII encoded. */
export function encodeTyped(text: string): string {
  return text.replaceAll(/[\u0080-\uFFFF]+/g, (part) => orNull(() => encodeURIComponent(part)) ?? part);
}
