import { NOTE_MAX_LENGTH } from '../baselines/baseline.ts';
import { tooLong } from '../text/trimmed-text.ts';
import { optionalText } from './form-values.ts';

/** A reviewer's note on a new baseline version. Null if there is none. */
export const ApprovalNote = optionalText.refine(
  (note) => (note ?? '').length <= NOTE_MAX_LENGTH,
  tooLong(NOTE_MAX_LENGTH),
);
