import { z } from 'zod';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { createSuite } from '../../suites/create-suite.ts';
import { DEFAULT_CONFIG, SuiteConfigInput } from '../../suites/suite-config.ts';
import { SuiteName } from '../../suites/suite-input.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { fieldsOf } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import { formRoute, pageRoute } from '../route.ts';
import { boundsNote, inWords, numberAttributes, numberOrNull } from './number-field.ts';
import { AddressField, DescriptionOrNull, SUITE_FIELDS } from './suite-form.ts';
import { VIEWPORT_PRESETS } from './viewport-preset.ts';

const Form = z.object({
  name: SuiteName,
  baseUrl: AddressField,
  description: DescriptionOrNull,
  'config.maxPages': numberOrNull.pipe(SuiteConfigInput.shape.maxPages),
  viewports: z
    .string()
    .transform((value) => VIEWPORT_PRESETS.find((preset) => preset.value === value)?.viewports ?? null),
});

function showForm(problem: Problem | null): Reply {
  const fields = fieldsOf(
    {
      ...SUITE_FIELDS,
      name: { ...SUITE_FIELDS.name, autofocus: true },
      'config.maxPages': {
        label: 'Maximum pages per crawl',
        type: 'number',
        value: DEFAULT_CONFIG.maxPages,
        note: boundsNote('maxPages', DEFAULT_CONFIG.maxPages),
        attributes: numberAttributes('maxPages'),
      },
      viewports: {
        label: 'Viewports',
        type: 'select',
        value: 'default',
        options: VIEWPORT_PRESETS.map(({ value, label }) => ({ value, label })),
        note: 'Each page is captured at every viewport. Sizes are in CSS pixels.',
      },
    },
    inWords(problem),
  );
  const { name, baseUrl, description, viewports, 'config.maxPages': maxPages } = fields;
  const model = { fields: { name, baseUrl, description, viewports, maxPages }, problem };
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
    const { name, baseUrl, description, viewports, 'config.maxPages': maxPages } = form;
    const config = {
      ...(viewports === null ? {} : { viewports }),
      ...((maxPages ?? DEFAULT_CONFIG.maxPages) === DEFAULT_CONFIG.maxPages ? {} : { maxPages }),
    };
    const suite = await createSuite(ctx, viewer, { name, baseUrl, description, config });
    return redirect(`/suites/${suite.id}`, `Created ${suite.name}`);
  },
);
