import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { Exchange } from '../../capture/manifest/manifest.ts';
import { sha256Of } from '../../text/sha256.ts';
import { VERSION } from '../../version.ts';
import { captureRequest } from '../page-jobs/capture-request.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';

/** The inputs of a screenshot besides the responses of servers. All must be equal for a proof. */
const Inputs = z.object({
  engine: z.string(),
  /** A hash of everything that determines how the page is captured. */
  settings: z.string(),
  /** See `protocolOf`. */
  protocol: z.string(),
  /** The revision of the suite's access. Null: nothing was sent. */
  access: z.string().nullable(),
});
export type Inputs = z.infer<typeof Inputs>;

/**
 * A hash of all inputs, 16 hex digits. It is part of the manifest's name, so that the manifest need not be read to
 * compare it.
 */
export const hashInputs = ({ engine, settings, protocol, access }: Inputs): string =>
  sha256Of(JSON.stringify([engine, settings, protocol, access])).slice(0, 16);

const ON_THIS_MACHINE = /^(?:[^:]{1,250}\.)?localhost$|^127\.|^\[::1\]$/;

/** `https:` pages may load other resources than `http:` ones. Hosts on this machine are trusted without it. */
export function protocolOf(address: string): string {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ON_THIS_MACHINE.test(hostname) ? 'http: on this machine' : protocol;
}

export const Manifest = Inputs.extend({
  exchanges: z.array(Exchange),
  literal: z.boolean(),
  /** Why it can't be used for a proof, in words. Empty: it can. */
  obstacles: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

export const encodeManifest = (manifest: Manifest): Buffer => gzipSync(JSON.stringify(manifest));

/** Null: another version wrote it. */
export const decodeManifest = (stored: Buffer): Manifest | null =>
  Manifest.safeParse(JSON.parse(gunzipSync(stored).toString())).data ?? null;

/** The capture's request without the page, its baseline and its address. Another release may capture differently. */
export function hashSettings(
  run: Pick<Run, 'id' | 'config'>,
  page: Pick<PageResult, 'url' | 'path' | 'viewport'>,
): string {
  const {
    url: _url,
    baseline: _baseline,
    preview: _preview,
    site: _site,
    access: _access,
    ...how
  } = captureRequest(run, page, null);
  return sha256Of(JSON.stringify([VERSION, how]));
}

/** Fonts and processor of a remote browser are unknown, so nothing proves that it draws the same. */
export const isKnownEngine = (engine: string): boolean => !engine.includes('unknown');

export const isMadeAlike = (one: Inputs, other: Inputs): boolean =>
  one.engine === other.engine &&
  one.settings === other.settings &&
  one.protocol === other.protocol &&
  one.access === other.access;
