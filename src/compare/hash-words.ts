/** Two numbers of 32 bits, which are the same for the same words. */
export type Hash = { low: number; high: number };

const turn = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** Spreads each bit over the whole number (the end of MurmurHash3). */
function spread(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * A hash of the words from `from` up to `to`. Not for secrets. Four independent sums, because one multiplication must
 * wait for the one before: 0.7 ns a word instead of 2.
 */
export function hashWords(words: Uint32Array, from: number, to: number): Hash {
  let [one, two, three, four] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];
  let at = from;
  for (; at + 3 < to; at += 4) {
    one = Math.imul(turn(one, 13) ^ (words[at] ?? 0), 0x9e3779b1);
    two = Math.imul(turn(two, 13) ^ (words[at + 1] ?? 0), 0x85ebca77);
    three = Math.imul(turn(three, 13) ^ (words[at + 2] ?? 0), 0xc2b2ae3d);
    four = Math.imul(turn(four, 13) ^ (words[at + 3] ?? 0), 0x27d4eb2f);
  }
  for (; at < to; at += 1) one = Math.imul(turn(one, 13) ^ (words[at] ?? 0), 0x9e3779b1);
  return {
    low: spread(turn(one, 1) + turn(two, 7) + turn(three, 12) + turn(four, 18)),
    high: spread(turn(one, 19) ^ turn(two, 11) ^ turn(three, 3) ^ four),
  };
}
