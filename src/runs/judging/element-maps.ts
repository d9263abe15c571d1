import { readMaking } from '../../baselines/read-baselines.ts';
import type { WorkerContext } from '../../context.ts';
import type { ElementMap } from '../../elements/element-map.ts';
import { decodeElementMap } from '../../elements/encode-element-map.ts';
import type { PageResult } from '../results/result.ts';

/** Null without a file, and when it is missing or broken. */
export async function readMap(
  ctx: Pick<WorkerContext, 'storage' | 'log'>,
  file: string | null,
): Promise<ElementMap | null> {
  const bytes = file === null ? null : await ctx.storage.get(file);
  if (bytes === null) return null;
  try {
    return await decodeElementMap(bytes);
  } catch (error) {
    ctx.log.warn({ err: error, file }, 'an element map cannot be read');
    return null;
  }
}

/** How the two screenshots of a result were made. Maps are null for old versions, and where one is missing or broken. */
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
  const making = baselineVersionId === null ? null : await readMaking(ctx, baselineVersionId);
  return {
    baselineEngine: making?.captureEngine ?? null,
    baselineHeard: making?.heardFile ?? null,
    baseline: await readMap(ctx, making?.elementsFile ?? null),
    current: await readMap(ctx, elementsFile),
  };
}
