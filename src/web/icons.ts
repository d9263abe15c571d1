import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The icons of the pages, by their names in GitHub's Octicons. */
const ICONS = [
  'alert',
  'apps',
  'archive',
  'arrow-both',
  'arrow-down',
  'arrow-left',
  'arrow-right',
  'arrow-switch',
  'arrow-up',
  'check',
  'check-circle',
  'check-circle-fill',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'chevron-up',
  'circle',
  'circle-slash',
  'clock',
  'code',
  'comment',
  'copy',
  'dash',
  'diff',
  'eye',
  'eye-closed',
  'file',
  'filter',
  'fold',
  'gear',
  'git-branch',
  'git-commit',
  'git-compare',
  'git-pull-request',
  'history',
  'home',
  'image',
  'info',
  'kebab-horizontal',
  'key',
  'link',
  'link-external',
  'list-unordered',
  'lock',
  'log',
  'mark-github',
  'organization',
  'pencil',
  'people',
  'person',
  'pin',
  'play',
  'plus',
  'plus-circle',
  'question',
  'repo',
  'rocket',
  'search',
  'sign-out',
  'skip',
  'stack',
  'sync',
  'trash',
  'triangle-down',
  'undo',
  'x',
  'x-circle',
  'x-circle-fill',
] as const;

export type IconName = (typeof ICONS)[number];

const known: ReadonlySet<unknown> = new Set(ICONS);
const isIcon = (name: unknown): name is IconName => known.has(name);

/**
 * An icon that is hidden from screen readers. A page has a hundred icons and more, most of them the same, so the page refers
 * to a file with all of them.
 * @param sheet the address of `readIconSheet`'s file
 * @throws Error when there is no such icon.
 */
export function drawIcon(name: unknown, sheet: string): string {
  if (!isIcon(name)) throw new Error(`There is no icon ${String(name)}`);
  return `<svg class="octicon" aria-hidden="true" width="16" height="16"><use href="${sheet}#${name}"/></svg>`;
}

async function readSymbol(name: IconName): Promise<string> {
  const file = createRequire(import.meta.url).resolve(`@primer/octicons/build/svg/${name}-16.svg`);
  const svg = await readFile(file, 'utf8');
  const shapes = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));
  return `<symbol id="${name}" viewBox="0 0 16 16">${shapes}</symbol>`;
}

/** An SVG file with every icon as a symbol of its name. */
export async function readIconSheet(): Promise<string> {
  const symbols = await Promise.all(ICONS.map(readSymbol));
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}
