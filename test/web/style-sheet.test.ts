import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readViews, VIEWS } from '../../src/web/render.ts';
import { keepUsedTokens, readStyleSheet } from '../../src/web/static-files.ts';

async function textsOf(folder: string, extension: string): Promise<string[]> {
  const files = (await readdir(path.join(VIEWS, folder))).filter((file) => file.endsWith(extension));
  return Promise.all(files.map(async (file) => readFile(path.join(VIEWS, folder, file), 'utf8')));
}

/** Classes that none of our templates and scripts set. */
const OF_OTHERS = ['octicon', 'rendered'];

/** Only of selectors. Declarations, strings and comments may contain dots, too. */
function classesIn(css: string): Set<string> {
  const selectors = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/@(media|supports)[^{]*\{/g, '')
    .replaceAll(/\{[^{}]*\}/g, ' ');
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].flatMap(([, name]) => name ?? []));
}

/** In `class="badge badge-{{tone}}"`: `badge` in full, and a word that starts with `badge-`. */
function classesOf(template: string): { full: string[]; starts: string[] } {
  const values = [...template.matchAll(/class="((?:\{\{.*?\}\}|[^"{])*)"/g)].flatMap(([, value]) => value ?? []);
  const words = values.flatMap((value) =>
    value
      .replaceAll(/\{\{[#/](if|unless).*?\}\}|\{\{else\}\}/g, ' ')
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  return {
    full: words.filter((word) => !word.includes('{')),
    starts: words.flatMap((word) => (word.includes('{') ? [word.slice(0, word.indexOf('{'))] : [])),
  };
}

describe('the style sheets', () => {
  it('have no class that is used nowhere', async () => {
    const templates = [...(await readViews()).values()].map(classesOf);
    const full = new Set(templates.flatMap((template) => template.full));
    const starts = templates.flatMap((template) => template.starts);
    const scripts = (await textsOf('static', '.js')).join('\n');
    const isUsed = (name: string) =>
      full.has(name) ||
      OF_OTHERS.includes(name) ||
      starts.some((start) => name.startsWith(start)) ||
      new RegExp(`['". ]${name}['"\\s.,:)]`).test(scripts);
    const dead = [...classesIn((await textsOf('styles', '.css')).join('\n'))].filter((name) => !isUsed(name));
    expect(dead).toEqual([]);
  });

  it('style every class of a template', async () => {
    const styled = classesIn(await readStyleSheet());
    const scripts = (await textsOf('static', '.js')).join('\n');
    const unstyled = [...(await readViews())].flatMap(([view, template]) =>
      classesOf(template)
        .full.filter((name) => !styled.has(name) && !scripts.includes(`.${name}'`))
        .map((name) => `${name} in ${view}`),
    );
    expect(unstyled).toEqual([]);
  });

  it('each style classes of their own', async () => {
    const folder = path.join(VIEWS, 'styles');
    const homes = new Map<string, string[]>();
    for (const sheet of await readdir(folder)) {
      for (const name of classesIn(await readFile(path.join(folder, sheet), 'utf8')))
        homes.set(name, [...(homes.get(name) ?? []), sheet]);
    }
    const shared = [...homes].flatMap(([name, sheets]) => (sheets.length > 1 ? `${name}: ${sheets.join(', ')}` : []));
    expect(shared).toEqual([]);
  });

  it('are all served', async () => {
    const sheet = classesIn(await readStyleSheet());
    const own = classesIn((await textsOf('styles', '.css')).join('\n'));
    expect([...own].filter((name) => !sheet.has(name))).toEqual([]);
  });

  it('use no token that is not defined', async () => {
    const sheet = await readStyleSheet();
    const defined = new Set([...sheet.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
    const used = [...sheet.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name]) => name ?? []);
    // The script of the comparison view sets its own.
    expect(used.filter((name) => !defined.has(name) && !name.startsWith('--comparison-'))).toEqual([]);
  });

  it('bring along a token that only another token uses, and no other', () => {
    const tokens = ':root {\n  --a: 1px;\n  --b: calc(var(--a) * 2);\n  --c: 3px;\n}';
    expect(keepUsedTokens(tokens, 'p { margin: var(--b) }')).toBe(
      ':root {\n  --a: 1px;\n  --b: calc(var(--a) * 2);\n}',
    );
  });
});
