import { z } from 'zod';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { createSuite } from '../../suites/create-suite.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../../suites/suite-config.ts';
import { SuiteName } from '../../suites/suite-input.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { buildField, buildFields } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import { readTyped } from '../problem.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { readSetting, settingField } from './setting-control.ts';
import { AddressField, DescriptionOrNull, SUITE_FIELDS } from './suite-form.ts';
import { VIEWPORT_PRESETS } from './viewport-preset.ts';

/** The page limit is the only setting that has its own field in this form. */
const { maxPages: pageLimit } = SUITE_CONFIG.fields;
const PAGE_LIMIT = 'config.maxPages';

const NewSuite = z.object({
  name: SuiteName,
  baseUrl: AddressField,
  description: DescriptionOrNull,
  config: SuiteConfigInput,
  viewports: z
    .string()
    .transform((value) => VIEWPORT_PRESETS.find((preset) => preset.value === value)?.viewports ?? null),
});

const Form = z.preprocess((body) => {
  const typed = readTyped(body);
  return { ...typed, config: { maxPages: pageLimit.collect(PAGE_LIMIT, (setting) => readSetting(setting, typed)) } };
}, NewSuite);

function showForm(problem: Problem | null): Reply {
  const fields = buildFields(
    {
      ...SUITE_FIELDS,
      name: { ...SUITE_FIELDS.name, autofocus: true },
      viewports: {
        label: 'Viewports',
        type: 'select',
        value: 'default',
        options: VIEWPORT_PRESETS.map(({ value, label }) => ({ value, label })),
        note: 'Each page is captured at every viewport. Sizes are in CSS pixels.',
      },
    },
    problem,
  );
  const settings = pageLimit
    .settings(PAGE_LIMIT, DEFAULT_CONFIG.maxPages)
    .map((setting) => buildField(settingField(setting), problem));
  const model = { fields, settings, problem };
  return { kind: 'page', view: 'suites/new', title: 'New suite', model, section: 'suites', width: 'narrow' };
}

export const getNewSuite = pageRoute({ path: '/suites/new' }, async () => showForm(null));

export const postNewSuite = formRoute(
  {
    path: '/suites/new',
    form: Form,
    redisplay: async (_ctx: Context, _request: { viewer: Viewer }, problem) => showForm(problem),
  },
  async (ctx, { viewer, form }) => {
    const { name, baseUrl, description, viewports } = form;
    const maxPages = pageLimit.withoutDefaults(form.config.maxPages);
    const config = {
      ...(viewports === null ? {} : { viewports }),
      ...(maxPages === null ? {} : { maxPages }),
    };
    const suite = await createSuite(ctx, viewer, { name, baseUrl, description, config });
    return redirect(`/suites/${suite.id}`, `Created ${suite.name}`);
  },
);
