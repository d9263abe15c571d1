import type { ByteRange } from '../storage/storage.ts';

/** What part of an object a request asks for: all of it, one part, or one that it does not have (416). */
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
 * RFC 9110 14.2: a header that is not understood is ignored, and so are several ranges at once, which no picture viewer
 * asks for. `range-parser`, which Express brings, answers 416 to a suffix longer than the picture, which must give all
 * of it.
 */
export function wantedPart(header: string | undefined, size: number): Wanted {
  const match = ONE_RANGE.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return WHOLE;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return WHOLE;
  return parsePart(first, last, size);
}

/** RFC 9110 13.1.2: weak comparison, `*` matches whatever there is. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
