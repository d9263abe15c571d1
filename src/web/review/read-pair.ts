import type { Context } from '../../context.ts';
import type { Image } from './read-image.ts';
import { readImage } from './read-image.ts';

/** Object names. */
type Names = { baseline: string | null; current: string | null };

type Pair = { baseline: Image | null; current: Image | null };

/** Two screenshots to compare. With `plain`, they are lined up, and `plain` has them as they are. */
export async function readPair(
  ctx: Pick<Context, 'config' | 'storage'>,
  { plain, aligned }: { plain: Names; aligned: Names },
): Promise<Pair & { plain?: Pair }> {
  const [baseline, current, alignedBaseline, alignedCurrent] = await Promise.all(
    [plain.baseline, plain.current, aligned.baseline, aligned.current].map(async (name) => readImage(ctx, name)),
  );
  const asTheyAre = { baseline: baseline ?? null, current: current ?? null };
  if (!alignedBaseline || !alignedCurrent) return asTheyAre;
  return { baseline: alignedBaseline, current: alignedCurrent, plain: asTheyAre };
}
