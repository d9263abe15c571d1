import { NOTE_MAX_LENGTH } from '../baselines/baseline.ts';
import { tooLong } from '../text/trimmed-text.ts';
import { optionalText } from './form-values.ts';

/** A reviewer's note on what becomes a version; null where none was left. */
export const ApprovalNote = optionalText.refine(
  (note) => (note ?? '').length <= NOTE_MAX_LENGTH,
  tooLong(NOTE_MAX_LENGTH),
);
