type Details = { small?: boolean; button?: string; fields?: { name: string; value: string }[] };

/**
 * What the partial `confirm` prints: a form of one button that asks first.
 * @param details `button`: what the second button says, otherwise the same as the first. `fields`: hidden values
 */
export const asking = (label: string, question: string, action: string, details: Details = {}) => ({
  label,
  small: false,
  question,
  button: label,
  action,
  fields: [],
  ...details,
});
