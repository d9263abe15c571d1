import { createHash } from 'node:crypto';

const PICTURE = /^suites\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([0-9a-f]{64})\.png$/;

/** No dot or dash first: neither `..`, nor a hidden file, nor what a shell would take for an option. */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;

/** SHA-256, 64 hex digits. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Ends in a slash, as `Storage.removeAll` takes it. */
export function suitePrefix(suiteId: string): string {
  return `suites/${suiteId}/`;
}

/** Named after its bytes: the same picture is stored once a suite, and a name never changes its meaning. */
export function pictureName(suiteId: string, sha256: string): string {
  return `${suitePrefix(suiteId)}${sha256}.png`;
}

/**
 * Beside its picture, so that it goes with it. What makes thumbnails otherwise must name them otherwise, as an object
 * never changes. `suiteOfObject` does not know the name: thumbnails are asked for by their picture.
 */
export function thumbnailName(picture: string, width: number): string {
  return `${picture.replace(/\.png$/, '')}.w${width}.webp`;
}

/** The suite whose members may see the object; null for anything but a `pictureName`. */
export function suiteOfObject(name: string): string | null {
  return PICTURE.exec(name)?.[1] ?? null;
}

/** What the picture's bytes hash to; null for anything but a `pictureName`. */
export function sha256OfObject(name: string): string | null {
  return PICTURE.exec(name)?.[2] ?? null;
}

/** True for relative names that stay inside their store and mean the same to a disk, S3 and an address. */
export function isObjectName(name: string): boolean {
  return name.length <= 512 && name.split('/').every((segment) => SEGMENT.test(segment));
}
