import { cut } from './format.ts';

function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)));
}

/** Characters that change the direction of text, and so disguise it. */
const DISGUISING = /[\u202A-\u202E\u2066-\u2069]+/gu;
/** Those, and line breaks. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

const toLine = (text: string, length: number) => cut(text.replace(UNSEEN, ' '), length);

function fence(line: string): string {
  if (line.trim() === '') return '` `';
  const ends = fenceFor(line, 1);
  return line.includes('`') ? `${ends} ${line} ${ends}` : `${ends}${line}${ends}`;
}

/** Formats a text as code, so that Markdown, HTML and mentions in it have no effect. */
export function inCode(text: string, length: number): string {
  return fence(toLine(text, length));
}

/**
 * The same in a table cell. Renderers disagree on whether the `|` in `\\|` ends a cell, so a zero-width space separates
 * the two.
 */
export function inCell(text: string, length: number): string {
  return fence(toLine(text, length).replaceAll('\\|', '\\\u200b|').replaceAll('|', '\\|'));
}

/** A text of several lines as a code block. */
export function asBlock(text: string, length: number): string {
  const body = cut(text.replace(DISGUISING, ' '), length);
  const fence = fenceFor(body, 3);
  return `${fence}text\n${body}\n${fence}`;
}
