import type { CaptureError } from '../../capture/browser/browser.ts';

/** By the sentences that people read. The first that fits is the cause. */
const CAUSES = [
  ['status', /returned \d{3}\b/],
  ['timeout', /within \d|timed out/],
  ['network', /\(ERR_|could not be resolved|could not be reached|was refused|was reset/],
  ['crash', /crashed/],
] as const;

/** Why a page could not be captured, in one word, for `/metrics`. */
export function causeOfError({ wall, message }: Pick<CaptureError, 'wall' | 'message'>) {
  if (wall !== null) return 'wall';
  return CAUSES.find(([, sentence]) => sentence.test(message))?.[0] ?? 'other';
}
