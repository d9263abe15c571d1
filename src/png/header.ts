/** The first bytes of every PNG. */
export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length and name of the first chunk, which are the same in every PNG. Width and height follow, 4 bytes each. */
const START = Buffer.concat([SIGNATURE, Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])]);

export const PNG_HEADER_BYTES = START.length + 8;

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** The size in px from the first bytes of a PNG. Null if they are not from a PNG. */
export function readPngHeader(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < PNG_HEADER_BYTES || !bytes.subarray(0, START.length).equals(START)) return null;
  const [width, height] = [bytes.readUInt32BE(START.length), bytes.readUInt32BE(START.length + 4)];
  return width > 0 && height > 0 ? { width, height } : null;
}
