import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const VIEWS = fileURLToPath(new URL('../../views/', import.meta.url));

const EXTENSION = '.hbs';

/** Every template by its name, which is its path in `views/` without the extension. */
export async function readViews(): Promise<Map<string, string>> {
  const files = (await readdir(VIEWS, { recursive: true })).filter((file) => file.endsWith(EXTENSION));
  const read = async (file: string): Promise<[string, string]> => [
    file.slice(0, -EXTENSION.length).replaceAll(path.sep, '/'),
    await readFile(path.join(VIEWS, file), 'utf8'),
  ];
  return new Map(await Promise.all(files.map(read)));
}
