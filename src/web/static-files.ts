import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import { readIconSheet } from './icons.ts';
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

const VENDORED_STYLES = ['img-comparison-slider/dist/styles.css'];

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
    readAll(VENDORED_STYLES.map((name) => resolve(name))),
    readAll(OWN),
  ]);
  const rules = `${vendored}\n${own}`;
  return `${keepUsedTokens(tokens, rules)}\n${rules}`;
}

/** Files from npm packages, by the name under which they are served. */
const VENDORED: Record<string, string> = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'panzoom.js': '@panzoom/panzoom/dist/panzoom.es.js',
  'img-comparison-slider.js': 'img-comparison-slider/dist/index.js',
};

export const ICON_SHEET = 'icons.svg';

export type StaticFiles = {
  /**
   * Where the files are. It has a version, which changes when any byte of any file changes. All files share one, because
   * scripts import each other by relative path.
   */
  address: string;
  /**
   * All direct and indirect imports of each of our scripts. Without this, a browser would discover them level by level.
   */
  modules: Record<string, string[]>;
  /** To be mounted at `/static`. */
  serve: RequestHandler;
};

async function vendored(): Promise<[string, Buffer][]> {
  const { resolve } = createRequire(import.meta.url);
  const read = async ([name, file]: [string, string]): Promise<[string, Buffer]> => [
    name,
    await readFile(resolve(file)),
  ];
  return Promise.all(Object.entries(VENDORED).map(read));
}

async function ours(): Promise<[string, Buffer][]> {
  const folder = path.join(VIEWS, 'static');
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(path.join(folder, name))]),
  );
}

function hashFiles(files: Map<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of [...files].sort(([a], [b]) => a.localeCompare(b))) hash.update(name).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

const IMPORT = /(?:from|^import) '\.\/([\w-]+\.js)';/gmu;

function listModules(files: Map<string, Buffer>, name: string): string[] {
  const found = new Set([name]);
  for (const each of found) {
    const source = files.get(each)?.toString() ?? '';
    for (const [, imported = ''] of source.matchAll(IMPORT)) found.add(imported);
  }
  return [...found].slice(1);
}

const Params = z.object({ version: z.string(), name: z.string() });

/** Reads the style sheet, and all scripts, images and icons of the pages once. */
export async function readStaticFiles(): Promise<StaticFiles> {
  const made: [string, Buffer][] = [
    ['styles.css', Buffer.from(await readStyleSheet())],
    [ICON_SHEET, Buffer.from(await readIconSheet())],
  ];
  const own = await ours();
  const files = new Map([...(await vendored()), ...own, ...made]);
  const version = hashFiles(files);
  return {
    address: `/static/${version}`,
    modules: Object.fromEntries(own.map(([name]) => [name, listModules(files, name)])),
    serve(req, res) {
      const params = Params.parse(req.params);
      const bytes = files.get(params.name);
      if (bytes === undefined) throw notFound('File');
      // While hosts of two versions run side by side, a page from one host may load files from the other.
      const lasting = params.version === version ? 'public, max-age=31536000, immutable' : 'no-cache';
      res.set('Cache-Control', lasting).type(path.extname(params.name)).send(bytes);
    },
  };
}
