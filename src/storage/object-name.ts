const IMAGE_NAME = /^suites\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[0-9a-f]{64}\.png$/;

/** Can't begin with a dot or a dash, so it is never `..`, a hidden file, or an option to a shell command. */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;

const MANIFEST_NAME = /\.([0-9a-f]{16})\.manifest$/;

/** Ends in a slash, as `Storage.removeAll` requires. */
export function suitePrefix(suiteId: string): string {
  return `suites/${suiteId}/`;
}

/** Named after its bytes, so a suite stores the same image only once, and a name always means the same image. */
export function imageName(suiteId: string, sha256: string): string {
  return `${suitePrefix(suiteId)}${sha256}.png`;
}

/** The element map of a screenshot, named after its own bytes. Browsers never ask for it. */
export function elementsName(suiteId: string, sha256: string): string {
  return `${suitePrefix(suiteId)}${sha256}.elements`;
}

/** What assistive technology is told of a page, named after its own bytes. Browsers never ask for it. */
export function heardName(suiteId: string, sha256: string): string {
  return `${suitePrefix(suiteId)}${sha256}.heard`;
}

/** What the page of a screenshot was made of, named after its own bytes and after `inputs`. Browsers never ask for it. */
export function manifestName(suiteId: string, sha256: string, inputs: string): string {
  return `${suitePrefix(suiteId)}${sha256}.${inputs}.manifest`;
}

/** The `inputs` in a `manifestName`. Null: the name has none. */
export function inputsOfManifest(name: string): string | null {
  return MANIFEST_NAME.exec(name)?.[1] ?? null;
}

/** The folder of a build's objects, with a slash at the end. They are never served to browsers by name. */
export function buildPrefix(suiteId: string, storedAs: string): string {
  return `${suitePrefix(suiteId)}builds/${storedAs}/`;
}

/** A file of a build, named after its bytes. */
export function buildFileName(suiteId: string, storedAs: string, sha256: string): string {
  return `${buildPrefix(suiteId, storedAs)}${sha256}`;
}

/** The list of a build's paths, with the hash of each file. */
export function buildListName(suiteId: string, storedAs: string): string {
  return `${buildPrefix(suiteId, storedAs)}files.json`;
}

/**
 * What is made of an image is named next to it, so that both are removed together. Because objects never change, code
 * that makes it differently must also name it differently. `suiteOfObject` does not know these names: members request
 * the image's own.
 */
const besideImage = (image: string, what: string) => `${image.replace(/\.png$/, '')}.${what}.webp`;

export const thumbnailName = (image: string, width: number): string => besideImage(image, `w${width}`);

/** A tile of an image: some of its rows, numbered from 0 at the top, scaled to a width or as they are. */
export const tileName = (image: string, tile: number, width: number | null): string =>
  besideImage(image, width === null ? `t${tile}` : `t${tile}-${width}`);

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

const CROP_NAME = /^(.+)\.k(-?\d{1,6})-(-?\d{1,6})-(\d{1,6})-(\d{1,6})\.webp$/;

const nameBox = ({ x, y, width, height }: Box) => `${x}-${y}-${width}-${height}`;

/** A part of an image, in px of it. */
export const cropName = (image: string, box: Box): string => besideImage(image, `k${nameBox(box)}`);

/** The same part, scaled to a width for a list. */
export const smallCropName = (image: string, box: Box, scaledTo: number): string =>
  besideImage(image, `s${scaledTo}-${nameBox(box)}`);

/** The same part, but never cut off. */
export const wholeCropName = (image: string, box: Box): string => besideImage(image, `p${nameBox(box)}`);

/** The image and the part that a `cropName` stands for; null for any other name. */
export function readCropName(name: string): { image: string; box: Box } | null {
  const [, base, ...sides] = CROP_NAME.exec(name) ?? [];
  const [x, y, width, height] = sides.map(Number);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  return { image: `${base}.png`, box: { x, y, width, height } };
}

/** The suite whose members may see the object; null for anything but an `imageName`. */
export function suiteOfObject(name: string): string | null {
  return IMAGE_NAME.exec(name)?.[1] ?? null;
}

/** True for relative names that stay inside their store and mean the same on a disk, in S3 and in a URL. */
export function isObjectName(name: string): boolean {
  return name.length <= 512 && name.split('/').every((segment) => SEGMENT.test(segment));
}

/** What the name of a stored object says. */
export type StoredName = {
  suiteId: string;
  /** The hash in its name, SHA-256 as hex digits; null when it has none. */
  sha256: string | null;
  /** 52 bits of the hash, 0 without one: sets of numbers take a tenth of the memory of sets of names. */
  key: number;
  /**
   * `own`: a row names it. `derived`: a thumbnail, tile or part of the image with this hash. `build`: a file of the build that
   * is stored in `folder`.
   */
  as: 'own' | 'derived' | 'build' | 'unknown';
  folder: string | null;
};

/** Which keys belong to a part. */
export type Slice = (key: number) => boolean;

/** Hashes in memory at a time. A suite with more objects is read several times, for a part of the hashes each time. */
const MOST_HASHES = 1_000_000;

export function splitKeys(objects: number): Slice[] {
  const slices = Math.max(1, Math.ceil(objects / MOST_HASHES));
  return Array.from({ length: slices }, (_, slice) => (key) => key % slices === slice);
}

const SUITE = /^suites\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(.+)$/;
const OWN = /^([0-9a-f]{64})\.(?:png|elements|heard|(?:[0-9a-f]{16}\.)?manifest)$/;
const DERIVED = /^([0-9a-f]{64})\.[wkpst][0-9-]+\.webp$/;
const BUILD = /^builds\/([^/]+)\/(?:([0-9a-f]{64})|files\.json)$/;

/** The hash in the name of an object that is named after its bytes, such as an `imageName`. Null: it has none. */
export const sha256InName = (name: string): string | null => readStoredName(name)?.sha256 ?? null;

/** Null: it is in no suite's folder. */
export function readStoredName(name: string): StoredName | null {
  const [, suiteId, rest = ''] = SUITE.exec(name) ?? [];
  if (suiteId === undefined) return null;
  const stored = (as: StoredName['as'], sha256: string | null, folder: string | null = null): StoredName => ({
    suiteId,
    sha256,
    key: Number.parseInt(sha256?.slice(0, 13) ?? '0', 16),
    as,
    folder,
  });
  const own = OWN.exec(rest)?.[1];
  if (own !== undefined) return stored('own', own);
  const derived = DERIVED.exec(rest)?.[1];
  if (derived !== undefined) return stored('derived', derived);
  const [build, folder = null, file = null] = BUILD.exec(rest) ?? [];
  return build === undefined ? stored('unknown', null) : stored('build', file, folder);
}
