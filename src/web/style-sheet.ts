import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { VIEWS } from './render.ts';

/** Primer's design tokens as custom properties: sizes, typography, and some of its themes. */
const TOKENS = [
  'base/size/size.css',
  'base/typography/typography.css',
  'functional/size/border.css',
  'functional/size/radius.css',
  'functional/size/size.css',
  'functional/spacing/space.css',
  'functional/typography/typography.css',
  ...['light', 'dark'].flatMap((scheme) =>
    ['', '-colorblind', '-high-contrast'].map((colors) => `functional/themes/${scheme}${colors}.css`),
  ),
].map((name) => `@primer/primitives/dist/css/${name}`);

const VENDORED = ['img-comparison-slider/dist/styles.css'];

/** Our own styles in `views/styles`. Later ones build on earlier ones. */
const OWN = [
  'base',
  // Components
  'layout button form checkbox menu segments drawer panel notice rows badge',
  // Pages
  'account dashboard setup run results shots comments changes settings-change log runs-list suites pages suite-settings',
  'rules site-access suite-access ignored-changes notices review review-list review-ignore keys search comparison-view',
  'comparison-tools baselines',
  // Exceptions
  'utilities',
]
  .flatMap((names) => names.split(' '))
  .map((name) => path.join(VIEWS, 'styles', `${name}.css`));

const TOKEN = /^\s*(--[\w-]+):(.*)$/;

function namesUsed(css: string): string[] {
  return [...css.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name]) => name ?? []);
}

/**
 * Removes tokens that are used neither in the rules nor by a remaining token. This reduces a quarter of a megabyte to a
 * few kilobytes. Each token is expected on one line.
 */
export function keepUsedTokens(tokens: string, rules: string): string {
  const lines = tokens.split('\n').map((line) => ({ line, name: TOKEN.exec(line)?.[1] ?? null }));
  const used = new Set(namesUsed(rules));
  // Names that are added during this loop are also visited.
  for (const name of used) {
    for (const token of lines) if (token.name === name) for (const other of namesUsed(token.line)) used.add(other);
  }
  return lines.flatMap(({ line, name }) => (name === null || used.has(name) ? [line] : [])).join('\n');
}

async function readAll(files: string[]): Promise<string> {
  const texts = await Promise.all(files.map(async (file) => readFile(file, 'utf8')));
  return texts.join('\n').replaceAll(/\/\*.*?\*\//gs, '');
}

/** The only style sheet, used by all pages. */
export async function readStyleSheet(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const [tokens, vendored, own] = await Promise.all([
    readAll(TOKENS.map((name) => resolve(name))),
    readAll(VENDORED.map((name) => resolve(name))),
    readAll(OWN),
  ]);
  const rules = `${vendored}\n${own}`;
  return `${keepUsedTokens(tokens, rules)}\n${rules}`;
}
