import { readMaking } from '../../baselines/read-baselines.ts';
import type { WorkerContext } from '../../context.ts';
import type { ElementMap } from '../../elements/element-map.ts';
import { decodeElementMap } from '../../elements/encode-element-map.ts';
import type { PageResult } from '../results/result.ts';

export type ReadContext = Pick<WorkerContext, 'storage' | 'log'>;

/** Null without a file, and when it is missing or broken. */
export async function readDecoded<T>(
  { storage, log }: ReadContext,
  file: string | null,
  what: string,
  decode: (bytes: Buffer) => Promise<T>,
): Promise<T | null> {
  const bytes = file === null ? null : await storage.get(file);
  if (bytes === null) return null;
  try {
    return await decode(bytes);
  } catch (error) {
    log.warn({ err: error, file }, `${what} cannot be read`);
    return null;
  }
}

export const readMap = async (ctx: ReadContext, file: string | null): Promise<ElementMap | null> =>
  readDecoded(ctx, file, 'an element map', decodeElementMap);

/** How the two screenshots of a result were made. Maps are null where one is missing or broken. */
export type Makings = {
  baselineEngine: string | null;
  /** What assistive technology is told about the baseline, by its object's name. Null if unknown. */
  baselineHeard: string | null;
  baseline: ElementMap | null;
  current: ElementMap | null;
};

export async function readMakings(
  ctx: Pick<WorkerContext, 'db' | 'storage' | 'log'>,
  { baselineVersionId, elementsFile }: Pick<PageResult, 'baselineVersionId' | 'elementsFile'>,
): Promise<Makings> {
  const making = await readMaking(ctx, baselineVersionId);
  return {
    baselineEngine: making.captureEngine,
    baselineHeard: making.heardFile,
    baseline: await readMap(ctx, making.elementsFile),
    current: await readMap(ctx, elementsFile),
  };
}
