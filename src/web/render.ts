import Handlebars from 'handlebars';
import { readViews } from './read-views.ts';
import { viewHelpers } from './view-helpers.ts';

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
    return template(model);
  };
}
