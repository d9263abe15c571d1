import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FOLDERS } from '../tooling/rooms.js';
import { readDocument, ROOT, sectionOf } from './markdown.ts';

const SOURCE = path.join(ROOT, 'src');
const TEXT = readDocument('docs/architecture.md');

/** The rooms and files in the map, such as `github/checks/` and `main.ts`. A room inside a room is indented. */
function namesOnMap(): string[] {
  const [, map = ''] = /```\nsrc\/\n([\s\S]*?)```/.exec(sectionOf(TEXT, '## The map')) ?? [];
  let outer = '';
  return [...map.matchAll(/^( +)([\w-]+\/|[\w-]+\.ts) /gm)].map(([, indent = '', name = '']) => {
    if (indent.length > 2) return outer + name;
    outer = name;
    return name;
  });
}

const foldersIn = (folder: string) =>
  readdirSync(path.join(SOURCE, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}${entry.name}/`);

function sourceText(): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(path.join(SOURCE, file), 'utf8')).join('\n');
}

const withFolders = (room: string) => [room, ...foldersIn(room)];

describe('the map in docs/architecture.md', () => {
  it('names every room of src/ and its folders, and no other', () => {
    const named = namesOnMap().filter((name) => name.endsWith('/'));
    expect(named.toSorted()).toEqual(foldersIn('').flatMap(withFolders).toSorted());
  });

  it('names every file at the top of src/, and no other', () => {
    const named = namesOnMap().filter((name) => name.endsWith('.ts'));
    expect(named.toSorted()).toEqual(
      readdirSync(SOURCE)
        .filter((file) => file.endsWith('.ts'))
        .toSorted(),
    );
  });
});

describe('the folders of rooms', () => {
  it.each(Object.entries(FOLDERS))('of %s are those that the linter knows', (room, folders) => {
    expect(foldersIn(`${room}/`)).toEqual(folders.map((folder) => `${room}/${folder}/`));
  });
});

describe('the comments of templates', () => {
  const views = path.join(ROOT, 'views');
  const templates = readdirSync(views, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.hbs'));

  it('name only modules that exist', () => {
    const named = templates.flatMap((file) => {
      const text = readFileSync(path.join(views, file), 'utf8');
      return [...text.matchAll(/\bsee [^}]*?([\w/-]+\.ts)\b/g)].map(([, module = '']) => module);
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((module) => !existsSync(path.join(SOURCE, module)))).toEqual([]);
  });
});

describe('the walks in docs/architecture.md', () => {
  const walks = [...TEXT.matchAll(/```mermaid\nsequenceDiagram([\s\S]*?)```/g)].map(([, walk = '']) => walk).join('\n');
  const source = sourceText();

  it('name only functions that exist', () => {
    const named = [...walks.matchAll(/\b[a-z]+[A-Z]\w*/g)].map(([name]) => name);
    expect(named.filter((name) => !new RegExp(String.raw`\bfunction ${name}\b`).test(source))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  it('name only jobs that exist', () => {
    const jobs = [...walks.matchAll(/"([a-z]+(?:-[a-z]+)+)"/g)].map(([, job = '']) => job);
    expect(jobs.filter((job) => !source.includes(`'${job}'`))).toEqual([]);
    expect(jobs.length).toBeGreaterThan(0);
  });
});
