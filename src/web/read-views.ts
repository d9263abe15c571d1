import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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

const SIZE = '-16.svg';

/** GitHub's 16 px icons by name, as inline SVG that is hidden from screen readers. */
export async function readIcons(): Promise<Map<string, string>> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@primer/octicons/build/svg/check-16.svg'));
  const files = (await readdir(folder)).filter((file) => file.endsWith(SIZE));
  const read = async (file: string): Promise<[string, string]> => {
    const svg = await readFile(path.join(folder, file), 'utf8');
    return [file.slice(0, -SIZE.length), svg.replace('<svg ', '<svg class="octicon" aria-hidden="true" ')];
  };
  return new Map(await Promise.all(files.map(read)));
}
