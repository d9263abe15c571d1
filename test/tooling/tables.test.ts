import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DOMAINS, EDGES, INFRASTRUCTURE, TABLES } from './rooms.js';

const SRC = path.join(import.meta.dirname, '../../src');
const ROOMS = [...Object.keys(INFRASTRUCTURE), ...DOMAINS, ...Object.keys(EDGES)];

type Owner = { room: string; alsoWrittenBy?: Record<string, string> };
const OWNERS = new Map<string, Owner>(Object.entries(TABLES));

type SourceFile = { name: string; room: string; code: string };

/** Comments mention tables without using them. */
const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name.includes(path.sep))
  .map((name): SourceFile => {
    const room = ROOMS.find((each) => name.startsWith(`${each}/`)) ?? '';
    return { name, room, code: withoutComments(readFileSync(path.join(SRC, name), 'utf8')) };
  });

const TABLE = `(${[...OWNERS.keys()].join('|')})`;
/** How calls of knex and SQL name a table. */
const READ = new RegExp(String.raw`(?:\(\s*['"\`]|\b(?:from|join)\s+)${TABLE}\b`, 'g');
const WRITTEN_IN_SQL = new RegExp(String.raw`\b(?:update|insert into|delete from)\s+${TABLE}\b`, 'g');
/** The rest of the chain of calls that begins with the table, up to the end of the statement. */
const CHAIN = new RegExp(String.raw`\(\s*['"\`]${TABLE}\b[^;]*?\.(?:insert|update|delete|increment)\(`, 'g');

const named = (pattern: RegExp, code: string) => [
  ...new Set([...code.matchAll(pattern)].map(([, table = '']) => table)),
];

const isStore = ({ name, room }: SourceFile) => /-(store|sql)\.ts$/.test(name) || room === 'db' || room === 'queue';

/** The functions of a store that edges may call. */
const OPEN_TO_EDGES = /^export (?:async )?(?:function|const) (read[A-Z]\w*)/gm;
/** Those whose second parameter is what `getSuiteFor` or `getRunFor` has returned: nothing else has these types. */
const TAKES_AUTHORIZED =
  /^export async function (read[A-Z]\w*)\(\s*db: Db,\s*(?:\w+|\{[^}]*\}): (?:SuiteFor|RunFor)\b/gm;

describe('the tables', () => {
  it('are all on the list, and no other', () => {
    const dump = readFileSync(path.join(import.meta.dirname, '../db/schema.txt'), 'utf8');
    const tables = [...dump.matchAll(/^table (\w+)/gm)].map(([, table = '']) => table);
    expect([...OWNERS.keys()].toSorted()).toEqual(tables.toSorted());
  });

  it('belong to rooms that there are', () => {
    const rooms = [...OWNERS.values()].flatMap(({ room, alsoWrittenBy = {} }) => [room, ...Object.keys(alsoWrittenBy)]);
    expect(rooms.filter((room) => !ROOMS.includes(room))).toEqual([]);
  });

  it('are named in stores only', () => {
    const elsewhere = files.filter((file) => !isStore(file)).filter(({ code }) => named(READ, code).length > 0);
    expect(elsewhere.map(({ name }) => name)).toEqual([]);
  });

  it('are read by their own room, and by rooms further to the right', () => {
    const wrong = files.filter(isStore).flatMap(({ name, room, code }) =>
      named(READ, code)
        .filter((table) => ROOMS.indexOf(OWNERS.get(table)?.room ?? '') > ROOMS.indexOf(room))
        .map((table) => `${name} reads ${table}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are written by their own room, and by those with columns of their own in them', () => {
    const wrong = files.filter(isStore).flatMap(({ name, room, code }) =>
      [...new Set([...named(CHAIN, code), ...named(WRITTEN_IN_SQL, code)])]
        .filter((table) => {
          const owner = OWNERS.get(table);
          return owner?.room !== room && !Object.keys(owner?.alsoWrittenBy ?? {}).includes(room);
        })
        .map((table) => `${name} writes ${table}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are read for edges only with a suite or a run for which the viewer was authorized', () => {
    const stores = files.filter(({ name }) => name.endsWith('-store.ts'));
    const open = stores.flatMap(({ code }) => named(OPEN_TO_EDGES, code));
    expect(open).toEqual(stores.flatMap(({ code }) => named(TAKES_AUTHORIZED, code)));
    expect(open.length).toBeGreaterThan(0);
  });

  it('name nobody who does not write them', () => {
    const writes = (room: string, table: string) =>
      files.some(
        (file) =>
          file.room === room && [...named(CHAIN, file.code), ...named(WRITTEN_IN_SQL, file.code)].includes(table),
      );
    const idle = [...OWNERS].flatMap(([table, { alsoWrittenBy = {} }]) =>
      Object.keys(alsoWrittenBy)
        .filter((room) => !writes(room, table))
        .map((room) => `${room} does not write ${table}`),
    );
    expect(idle).toEqual([]);
  });
});
