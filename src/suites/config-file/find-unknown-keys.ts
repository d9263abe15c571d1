import type { KnownKeys } from './file-schema.ts';

/** `known`: the keys that are valid at this place. */
export type UnknownKey = { path: PropertyKey[]; key: string; known: readonly string[] };

const MAX_KEY = 64;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withAlternatives(schema: KnownKeys): KnownKeys[] {
  return [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(withAlternatives)];
}

/** The key that was probably meant: one that differs in case, or in a letter or two. */
export function suggest(key: string, known: readonly string[]): string | null {
  if (key.length > MAX_KEY) return null;
  const bare = key.toLowerCase().replaceAll('-', '').replaceAll('_', '');
  const most = key.length < 5 ? 1 : 2;
  const [best] = known
    .map((name) => ({ name, distance: editDistance(bare, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return best?.name ?? null;
}

/** The keys of a value that its schema does not have, at any depth. Pure. */
export function findUnknownKeys(schema: KnownKeys, value: unknown, path: PropertyKey[] = []): UnknownKey[] {
  const schemas = withAlternatives(schema);
  if (Array.isArray(value)) {
    const items = schemas.flatMap(({ items: of }) => of ?? []);
    if (items.length === 0) return [];
    return value.flatMap((item: unknown, index) => findUnknownKeys({ anyOf: items }, item, [...path, index]));
  }
  if (!isObject(value)) return [];
  const known = schemas.flatMap(({ properties }) => Object.entries(properties ?? {}));
  const others = schemas.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
  if (known.length === 0 && others.length === 0) return [];
  const names = [...new Set(known.map(([name]) => name))];
  return Object.entries(value).flatMap(([key, part]) => {
    const its = [...known.filter(([name]) => name === key).map(([, its]) => its), ...others];
    if (its.length > 0) return findUnknownKeys({ anyOf: its }, part, [...path, key]);
    return [{ path, key, known: names }];
  });
}

/** How many characters must be inserted, removed or replaced to turn one text into the other. Both should be short. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [index, against] of Array.from(other).entries()) {
      const replaced = (row[index] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
