import type { WorkerContext } from '../../context.ts';
import { imageName, sha256Of } from '../../storage/object-name.ts';

/** Stores an image that a comparison made. @returns its object name. */
export async function storeImage(
  ctx: Pick<WorkerContext, 'storage'>,
  suiteId: string,
  image: Buffer | null,
): Promise<string | null> {
  if (image === null) return null;
  const name = imageName(suiteId, sha256Of(image));
  await ctx.storage.put(name, image);
  return name;
}
