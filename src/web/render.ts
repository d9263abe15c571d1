import Handlebars from 'handlebars';
import { readIcons, readViews } from './read-views.ts';
import { viewHelpers } from './view-helpers.ts';

/** Prints a view with its model; the model of `layouts/main` holds the printed view as `content`. */
export type Render = (view: string, model: object) => string;

/**
 * Compiles everything under `views/` once. A name that a template prints and a model lacks is an error, so a typing
 * mistake never shows as a blank.
 * @throws Error when rendering a view that is not there.
 */
export async function createRender(): Promise<Render> {
  const [views, icons] = await Promise.all([readViews(), readIcons()]);
  const handlebars = Handlebars.create();
  handlebars.registerHelper(viewHelpers(icons));
  const templates = new Map(
    [...views].map(([name, source]) => [name, handlebars.compile(source, { strict: true, preventIndent: true })]),
  );
  for (const [name, template] of templates) handlebars.registerPartial(name, template);
  return (view, model) => {
    const template = templates.get(view);
    if (template === undefined) throw new Error(`There is no view ${view}`);
    return template(model);
  };
}
