/** A text of at most `length` characters; `…` stands for the rest. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
