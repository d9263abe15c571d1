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
