import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { viewHelpers } from './view-helpers.ts';

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

/**
 * Characters that change the direction of text: a name with them can look like another one, and turn round what is beside
 * it. Fields are left as they are, because their text is sent again.
 */
const DISGUISING = / value="[^"]*|<textarea[^<]*|[\u202A-\u202E\u2066-\u2069]/gu;

/** Prints each of these characters as one that is seen. */
const unmask = (html: string): string => html.replace(DISGUISING, (found) => (found.length === 1 ? '\uFFFD' : found));

/** Renders a view with its model. In the model of `layouts/main`, `content` is the rendered view. */
export type Render = (view: string, model: object) => string;

/**
 * Compiles all templates in `views/` once. A name that is used in a template but missing in the model is an error, so
 * that a typo does not become a blank.
 * @param iconSheet the address of the file with all icons
 * @throws Error when rendering a view that does not exist.
 */
export async function createRender(iconSheet: string): Promise<Render> {
  const views = await readViews();
  const handlebars = Handlebars.create();
  const helpers = viewHelpers(iconSheet);
  handlebars.registerHelper(helpers);
  const options = {
    strict: true,
    preventIndent: true,
    // With this, `{{name}}` is a field and is not looked up among the helpers first, which takes as long as the rest.
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
    knownHelpersOnly: true,
  };
  const templates = new Map([...views].map(([name, source]) => [name, handlebars.compile(source, options)]));
  for (const [name, template] of templates) handlebars.registerPartial(name, template);
  return (view, model) => {
    const template = templates.get(view);
    if (template === undefined) throw new Error(`There is no view ${view}`);
    return unmask(template(model));
  };
}
