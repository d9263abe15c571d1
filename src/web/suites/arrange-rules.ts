import { z } from 'zod';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { SuiteParams } from '../form-values.ts';
import { readTyped, type Problem } from '../problem.ts';
import { redirect } from '../reply.ts';
import { arrangeRules, rulesEditor } from '../rules/rules-editor.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { aboutRules, showSettings } from './settings.ts';

const PATH = '/suites/:id/settings/rules';

/** The form of the settings, with what the button of a rule sent. */
const ArrangeForm = z.preprocess(readTyped, z.record(z.string(), z.string()));

/** Shows the form again with a rule added, moved or removed. Saves nothing. htmx gets only the rules. */
export const postArrangeRules = formRoute(
  { path: PATH, params: SuiteParams, form: ArrangeForm },
  async (ctx, request) => {
    const suite = await getSuiteFor(ctx, request.viewer, request.params.id, 'suite.edit');
    const typed = arrangeRules(request.form, request.form['arrange'] ?? '');
    const problem: Problem = { status: 200, message: '', fields: {}, typed };
    if (!request.htmx) return showSettings(ctx, request, { form: 'rules', problem });
    const model = rulesEditor(suite.config, problem, await aboutRules(ctx, suite));
    return { kind: 'fragment', view: 'rules/editor', model };
  },
);

/** For people who reload the page that the form above returned, or come back to it. */
export const getArrangedRules = pageRoute({ path: PATH, params: SuiteParams }, async (ctx, { viewer, params }) => {
  const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
  return redirect(`/suites/${suite.id}/settings`);
});
