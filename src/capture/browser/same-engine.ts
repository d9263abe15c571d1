/** `chromium 156.0; playwright 1.65.1; fonts 1a2b; cpu avx2`: the browser first, then parts with a name each. */
function splitParts(engine: string): Map<string, string> {
  return new Map(
    engine.split('; ').map((part, index): [string, string] => {
      const [name = '', ...value] = part.split(' ');
      return index === 0 ? ['browser', part] : [name, value.join(' ')];
    }),
  );
}

/** Of a part that the machine does not reveal. It is not compared. */
export const UNKNOWN_PART = 'unknown';

/**
 * Whether two engines draw the same page with the same pixels, as far as both are known. Fonts and processor of remote
 * browsers are unknown, and not compared.
 */
export function sameEngine(one: string, other: string): boolean {
  const others = splitParts(other);
  return [...splitParts(one)].every(([name, value]) => {
    const theirs = others.get(name);
    return value === UNKNOWN_PART || theirs === UNKNOWN_PART || theirs === value;
  });
}
