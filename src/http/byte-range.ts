import type { ByteRange } from '../storage/storage.ts';

/** Which part of an object a request asks for: all of it, one range, or a range that it does not have (416). */
export type Wanted = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

const WHOLE: Wanted = { kind: 'whole' };
const ONE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/;

function parsePart(first: string, last: string, size: number): Wanted {
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (first === '' && Number(last) === 0)) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start, end } };
}

/**
 * By RFC 9110 14.2, a header that is not understood is ignored. So are several ranges at once, which no image viewer
 * requests. `range-parser`, which comes with Express, returns 416 for a suffix longer than the image, but such a suffix
 * must return the whole image.
 */
export function wantedPart(header: string | undefined, size: number): Wanted {
  const match = ONE_RANGE.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return WHOLE;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return WHOLE;
  return parsePart(first, last, size);
}

/** RFC 9110 13.1.2: weak comparison. `*` matches any existing object. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
