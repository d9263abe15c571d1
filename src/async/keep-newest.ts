/** Adds an entry to a cache as its newest, and deletes the oldest ones beyond this many. @returns the value */
export function keepNewest<K, V>(cache: Map<K, V>, key: K, value: V, most: number): V {
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of [...cache.keys()].slice(0, -most)) cache.delete(oldest);
  return value;
}
