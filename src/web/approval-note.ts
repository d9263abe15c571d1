import { optionalText } from './form-values.ts';

/** Characters, at most; as `ApproveVisualsInput` of the API says it. */
export const NOTE_LENGTH = 2000;

/** A reviewer's note on what becomes a version; null where none was left. */
export const ApprovalNote = optionalText.refine(
  (note) => (note ?? '').length <= NOTE_LENGTH,
  `must be ${NOTE_LENGTH} characters at most`,
);
