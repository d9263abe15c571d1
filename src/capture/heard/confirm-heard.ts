import { encodeHeard, type HeardNode } from '../../elements/heard/heard-tree.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';

/**
 * What assistive technology is told by all loads of a page, encoded. As with pixels, one load that differs from the
 * baseline proves nothing: if the screenshot is the same and only one load was read, it is loaded once more.
 * @returns null if nothing was read
 */
export async function confirmHeard(
  { baseline }: Pick<CaptureRequest, 'baseline'>,
  { sha256 }: { sha256: string },
  trees: HeardNode[],
  readAgain: () => Promise<HeardNode | null>,
): Promise<Buffer | null> {
  const [first] = trees;
  if (first === undefined) return null;
  const once = await encodeHeard({ loads: [first] });
  const known = baseline?.heard ?? null;
  const isOther = known !== null && baseline?.sha256 === sha256 && known !== sha256Of(once);
  const again = isOther && trees.length === 1 ? await readAgain() : (trees[1] ?? null);
  if (again === null) return once;
  const twice = await encodeHeard({ loads: [again] });
  return once.equals(twice) ? once : encodeHeard({ loads: [first, again] });
}
