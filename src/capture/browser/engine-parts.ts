import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sha256Of } from '../../text/sha256.ts';

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

const run = promisify(execFile);

/** The first call may build fontconfig's cache. */
const FONTS_MS = 20_000;

/** The processor features by which Chromium's rasterizer, Skia, selects its code. AVX-512 needs all five. */
const CPU_FEATURES = ['ssse3', 'sse4_1', 'sse4_2', 'avx', 'f16c', 'fma', 'avx2', 'asimd', 'asimdhp'];
const AVX_512 = ['avx512f', 'avx512cd', 'avx512dq', 'avx512bw', 'avx512vl'];

/**
 * The architecture and the features of the processor that decide how pixels are computed, such as `x64 ssse3 avx2`.
 * @param cpuinfo The text of `/proc/cpuinfo`.
 */
export function parseProcessor(cpuinfo: string, architecture: string): string {
  const list = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuinfo)?.[1];
  if (list === undefined) return UNKNOWN_PART;
  const has = new Set(list.trim().split(/\s+/));
  const features = CPU_FEATURES.filter((feature) => has.has(feature));
  if (AVX_512.every((feature) => has.has(feature))) features.push('avx512');
  return [architecture, ...features].join(' ');
}

/** `unknown` if the system does not reveal it. */
export async function describeProcessor(): Promise<string> {
  const cpuinfo = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return parseProcessor(cpuinfo, process.arch);
}

/** A short hash of the installed font faces, wherever they are; `unknown` without fontconfig. */
export async function describeFonts(): Promise<string> {
  const format = '%{file}\t%{index}\t%{family}\t%{style}\t%{fontversion}\n';
  const listing = await run('fc-list', ['--format', format], { timeout: FONTS_MS, maxBuffer: 64 * 1024 * 1024 }).catch(
    () => null,
  );
  if (listing === null) return UNKNOWN_PART;
  const faces = listing.stdout.split('\n').filter((line) => line !== '');
  const described = await Promise.all(
    faces.map(async (face) => {
      const [file = '', ...rest] = face.split('\t');
      const size = await stat(file).then(
        (found) => found.size,
        () => 0,
      );
      return [path.basename(file), size, ...rest].join('\t');
    }),
  );
  return sha256Of(described.sort().join('\n')).slice(0, 12);
}
