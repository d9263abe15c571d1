import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, visit, type Alias, type Document } from 'yaml';
import { errorMessage } from '../../errors.ts';

/** A value with its place in the text. */
export type Located = {
  value: unknown;
  offset: number;
  /** Of a map. `offset` is that of the key. */
  keys: ReadonlyMap<string, { offset: number; node: Located }>;
  /** Of a list. */
  items: readonly Located[];
  /** How many values it contains, including those that aliases repeat. */
  size: number;
};

/** `problem`: why the text has no values that can be used. */
export type ReadYaml = { root: Located; problem: null } | { root: null; problem: { offset: number; message: string } };

/** Enough for a hundred suites with rules. Short texts with aliases of aliases could stand for billions of values. */
const MAX_VALUES = 50_000;

const NO_KEYS: Located['keys'] = new Map();

class Unusable extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Null marks a value that is being read, to detect an alias inside the value that it repeats. */
type Anchors = Map<string, Located | null>;

const startOf = (node: { range?: readonly number[] | null | undefined } | null | undefined): number =>
  node?.range?.[0] ?? 0;

function withinBounds(located: Located): Located {
  if (located.size > MAX_VALUES) throw new Unusable(located.offset, `has more than ${MAX_VALUES} values`);
  return located;
}

const sizeOf = (parts: Iterable<Located>): number => [...parts].reduce((sum, { size }) => sum + size, 1);

function repeat(alias: Alias, anchors: Anchors): Located {
  const offset = startOf(alias);
  const anchored = anchors.get(alias.source);
  if (anchored === undefined)
    throw new Unusable(offset, `uses *${alias.source}, but there is no &${alias.source} before`);
  if (anchored === null) throw new Unusable(offset, `*${alias.source} is inside the value that it refers to`);
  return { ...anchored, offset };
}

function readMap(pairs: readonly { key: unknown; value: unknown }[], offset: number, anchors: Anchors): Located {
  const keys = new Map<string, { offset: number; node: Located }>();
  for (const { key, value } of pairs) {
    if (!isScalar(key)) throw new Unusable(offset, 'has a key that is not text');
    const name = String(key.value);
    if (keys.has(name)) throw new Unusable(startOf(key), `${name} appears twice`);
    keys.set(name, { offset: startOf(key), node: locate(value, anchors, startOf(key)) });
  }
  const value = Object.fromEntries([...keys].map(([name, { node }]) => [name, node.value]));
  return withinBounds({ value, offset, keys, items: [], size: sizeOf([...keys.values()].map(({ node }) => node)) });
}

/** Like the library's `toJS`, but in linear time for any text, and with positions. */
function locate(node: unknown, anchors: Anchors, fallback: number): Located {
  if (isAlias(node)) return repeat(node, anchors);
  const anchor = (isScalar(node) || isCollection(node)) && node.anchor !== undefined ? node.anchor : null;
  if (anchor !== null) anchors.set(anchor, null);
  const located = locateOwn(node, anchors, fallback);
  if (anchor !== null) anchors.set(anchor, located);
  return located;
}

function locateOwn(node: unknown, anchors: Anchors, fallback: number): Located {
  if (isMap(node)) return readMap(node.items, startOf(node), anchors);
  if (isSeq(node)) {
    const items = node.items.map((item) => locate(item, anchors, startOf(node)));
    const value = items.map((item) => item.value);
    return withinBounds({ value, offset: startOf(node), keys: NO_KEYS, items, size: sizeOf(items) });
  }
  const value = isScalar(node) ? node.value : null;
  // Empty values have no position of their own.
  const offset = isScalar(node) && value !== null ? startOf(node) : fallback;
  return { value: value ?? null, offset, keys: NO_KEYS, items: [], size: 1 };
}

/** Where the parser failed. For an unclosed bracket or quote, the place where it was opened. */
function offsetOfError(document: Document.Parsed, [end]: readonly [number, number]): number {
  let offset = end;
  visit(document, (_, node) => {
    const isOpened =
      (isCollection(node) && node.flow === true) || (isScalar(node) && node.type?.startsWith('QUOTE') === true);
    if (!isOpened || node.range?.[1] !== end) return undefined;
    offset = node.range[0];
    return visit.BREAK;
  });
  return offset;
}

function parse(text: string): Document.Parsed {
  try {
    // The library compares each key with all others. `readMap` does it faster.
    return parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    throw new Unusable(0, `is not valid YAML: ${errorMessage(error)}`);
  }
}

/** Reads YAML 1.2 with the core schema, in a time that is linear in the length of the text. Pure. */
export function readYaml(text: string): ReadYaml {
  try {
    const document = parse(text);
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      throw new Unusable(offsetOfError(document, error.pos), `is not valid YAML: ${error.message}`);
    }
    return { root: locate(document.contents, new Map(), 0), problem: null };
  } catch (thrown) {
    if (!(thrown instanceof Unusable)) throw thrown;
    return { root: null, problem: { offset: thrown.offset, message: thrown.message } };
  }
}

/** The value at a path, or its nearest existing parent. `isThere`: whether it is the value itself. */
export function findAt(root: Located, path: readonly PropertyKey[]): { offset: number; isThere: boolean } {
  let [offset, node]: [number, Located] = [root.offset, root];
  for (const part of path) {
    const key = node.keys.get(String(part));
    const next = typeof part === 'number' ? node.items[part] : key?.node;
    if (next === undefined) return { offset, isThere: false };
    [offset, node] = [next.offset, next];
  }
  return { offset, isThere: true };
}

/** The position of a key, or of its nearest existing parent. */
export function findKey(root: Located, path: readonly PropertyKey[], key: string): number {
  let node: Located | undefined = root;
  for (const part of path) {
    node = typeof part === 'number' ? node?.items[part] : node?.keys.get(String(part))?.node;
  }
  return node?.keys.get(key)?.offset ?? findAt(root, path).offset;
}
