/** What the parts of a page read, all at once, by their names. */
export async function readTogether<T extends object>(parts: T): Promise<{ [K in keyof T]: Awaited<T[K]> }>;
export async function readTogether(parts: object): Promise<object> {
  const read = Object.entries(parts).map(async ([name, part]) => [name, await part]);
  return Object.fromEntries(await Promise.all(read));
}
