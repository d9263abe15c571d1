/** What the partial `confirm` prints: a form of one button that asks first. */
export const asking = (label: string, question: string, action: string) => ({
  label,
  small: false,
  question,
  button: label,
  action,
  fields: [],
});
