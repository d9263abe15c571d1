import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage']);

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || NOT_OURS.has(entry.name) ? [] : markdownIn(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

/** Paths of all documents of the project, from the root. */
export const DOCUMENTS: readonly string[] = markdownIn('').sort();

export function readDocument(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Code blocks contain no links and no headings. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** The text below a heading, up to the next heading of the same or a higher level. */
export function sectionOf(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const start = text.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`There is no heading "${heading}"`);
  const rest = text.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

/** The first cell of each row of the tables in a text. */
export function firstCells(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) => row.split('|')[1]?.trim() ?? '').filter((cell) => !/^-*$/.test(cell));
}

/** The anchors that GitHub generates for the headings of a document. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}
