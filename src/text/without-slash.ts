/** Without any number of slashes at the end. Linear, which a regular expression for it is not. */
export function withoutSlash(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
