import { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { deleteSuite } from '../../suites/delete-suite.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { MAX_VIEWPORTS } from '../../suites/suite-config.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { updateSuite } from '../../suites/update-suite.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { fieldOf, fieldsOf } from '../form-field.ts';
import { canOf } from '../permissions.ts';
import type { Problem } from '../problem.ts';
import type { Call } from '../row.ts';
import { action, page } from '../row.ts';
import { configFields } from './config-fields.ts';
import { inWords } from './number-field.ts';
import { SuiteParams } from './params.ts';
import { SettingsForm } from './settings-form.ts';
import { SUITE_FIELDS } from './suite-form.ts';
import { sectionOf, suiteHead } from './suite-head.ts';
import { viewportRows } from './viewport-rows.ts';

/** The page has three forms; a refusal belongs to the one that was sent. */
type Refused = { form: 'settings' | 'active' | 'delete'; problem: Problem } | null;

function deleteField(problem: Problem | null) {
  const note = 'Exactly as it stands above.';
  const attributes = { autocomplete: 'off', spellcheck: 'false' };
  return fieldOf({ name: 'confirm', label: 'Type the name to confirm', required: true, note, attributes }, problem);
}

function switchOff({ id, name }: SuiteForViewer) {
  return {
    label: 'Switch off',
    small: false,
    question: `Switch ${name} off? Runs of pull requests that are under way end.`,
    button: 'Switch it off',
    action: `/suites/${id}/active`,
    fields: [{ name: 'active', value: 'no' }],
  };
}

function settingsModel(suite: SuiteForViewer, refused: Refused) {
  const typed = refused?.form === 'settings' ? inWords(refused.problem) : null;
  const { name, baseUrl, description } = suite;
  const about = fieldsOf(
    {
      name: { ...SUITE_FIELDS.name, value: name },
      baseUrl: { ...SUITE_FIELDS.baseUrl, value: baseUrl },
      description: { ...SUITE_FIELDS.description, value: description },
    },
    typed,
  );
  return {
    fields: about,
    groups: configFields(suite, typed),
    viewports: viewportRows(suite.config.viewports, typed),
    maxViewports: MAX_VIEWPORTS,
    viewportsError: typed?.fields['config.viewports'] ?? null,
    deleteField: deleteField(refused?.form === 'delete' ? refused.problem : null),
    problem: refused?.problem ?? null,
  };
}

type SuiteCall = Pick<Call<{ id: string }, unknown>, 'viewer' | 'params'>;

async function showSettings(ctx: Context, { viewer, params }: SuiteCall, refused: Refused): Promise<Answer> {
  const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
  const model = {
    ...settingsModel(suite, refused),
    head: await suiteHead(ctx, suite, { tab: 'settings' }),
    can: canOf(suite.access),
    path: `/suites/${suite.id}/settings`,
    isActive: suite.isActive,
    switchOff: switchOff(suite),
  };
  const title = `Settings of ${suite.name}`;
  return { kind: 'page', view: 'suites/settings', title, model, section: sectionOf(suite) };
}

const againWith =
  (form: NonNullable<Refused>['form']) =>
  async (ctx: Context, call: SuiteCall, problem: Problem): Promise<Answer> =>
    showSettings(ctx, call, { form, problem });

export const getSettings = page({ path: '/suites/:id/settings', params: SuiteParams }, async (ctx, call) =>
  showSettings(ctx, call, null),
);

export const postSettings = action(
  { path: '/suites/:id/settings', params: SuiteParams, form: SettingsForm, again: againWith('settings') },
  async (ctx, { viewer, params, form }) => {
    const { id } = await updateSuite(ctx, viewer, params.id, form);
    return leadTo(`/suites/${id}/settings`, 'The settings were saved');
  },
);

export const postActive = action(
  {
    path: '/suites/:id/active',
    params: SuiteParams,
    form: z.object({ active: z.enum(['yes', 'no']) }),
    again: againWith('active'),
  },
  async (ctx, { viewer, params, form }) => {
    const isActive = form.active === 'yes';
    const { id, name } = await updateSuite(ctx, viewer, params.id, { isActive });
    return leadTo(`/suites/${id}/settings`, `${name} is switched ${isActive ? 'on' : 'off'}`);
  },
);

export const postDelete = action(
  {
    path: '/suites/:id/delete',
    params: SuiteParams,
    form: z.object({ confirm: z.string() }),
    again: againWith('delete'),
  },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.delete');
    if (form.confirm.trim() !== suite.name) {
      throw invalid('The name is another', [{ path: 'confirm', message: `must be ${suite.name}` }]);
    }
    await deleteSuite(ctx, viewer, suite.id);
    return leadTo(suite.kind === 'MANUAL' ? '/buckets' : '/suites', `${suite.name} was deleted`);
  },
);
