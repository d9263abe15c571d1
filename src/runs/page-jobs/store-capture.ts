import type { Capture } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { elementsName, heardName, imageName } from '../../storage/object-name.ts';
import { sha256Of } from '../../text/sha256.ts';

/** Stores a screenshot, its element map and its accessibility tree. @returns their object names; null for what it lacks. */
export async function storeCapture(
  { storage }: Pick<WorkerContext, 'storage'>,
  suiteId: string,
  { png, sha256, elements, heard }: Capture,
): Promise<{ file: string; elementsFile: string | null; heardFile: string | null }> {
  const file = imageName(suiteId, sha256);
  await storage.put(file, png);
  const elementsFile = elements && elementsName(suiteId, sha256Of(elements));
  if (elements !== null && elementsFile !== null) await storage.put(elementsFile, elements);
  const heardFile = heard && heardName(suiteId, sha256Of(heard));
  if (heard !== null && heardFile !== null) await storage.put(heardFile, heard);
  return { file, elementsFile, heardFile };
}
