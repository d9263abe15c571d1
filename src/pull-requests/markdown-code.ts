export function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)));
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** Formats a text as code in a table cell, so that Markdown, HTML and mentions in it have no effect. */
export function inCell(text: string, length: number): string {
  const bare = cut(text.replace(/[\r\n]+/g, ' '), length).replaceAll('|', '\\|');
  const fence = fenceFor(bare, 1);
  return bare.includes('`') ? `${fence} ${bare} ${fence}` : `${fence}${bare}${fence}`;
}
