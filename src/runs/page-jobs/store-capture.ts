import type { Capture } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { elementsName, imageName, sha256Of } from '../../storage/object-name.ts';

/** Stores a screenshot and its element map. @returns their object names; null without a map. */
export async function storeCapture(
  { storage }: Pick<WorkerContext, 'storage'>,
  suiteId: string,
  { png, sha256, elements }: Capture,
): Promise<{ file: string; elementsFile: string | null }> {
  const file = imageName(suiteId, sha256);
  await storage.put(file, png);
  if (elements === null) return { file, elementsFile: null };
  const elementsFile = elementsName(suiteId, sha256Of(elements));
  await storage.put(elementsFile, elements);
  return { file, elementsFile };
}
