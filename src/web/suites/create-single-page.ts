import { z } from 'zod';
import { createSinglePage } from '../../runs/single-page.ts';
import { SUITE_NAME_MAX_LENGTH, URL_MAX_LENGTH } from '../../suites/suite-input.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { buildFields } from '../form-field.ts';
import { formRoute, pageRoute, redirect } from '../web-route.ts';
import { AddressField } from './controls/suite-form.ts';

const Form = z.object({ url: AddressField, name: trimmedText(SUITE_NAME_MAX_LENGTH).optional() });

export const getNewSinglePage = pageRoute({ path: '/single-pages/new' }, async (_ctx, _request, problem) => {
  const fields = buildFields(
    {
      url: {
        label: 'URL',
        type: 'url',
        required: true,
        autofocus: true,
        note: 'The full URL of the page, including http:// or https://.',
        attributes: {
          maxlength: URL_MAX_LENGTH,
          placeholder: 'https://example.com/pricing',
          autocomplete: 'off',
          spellcheck: 'false',
        },
      },
      name: {
        label: 'Name',
        note: 'Defaults to the host and path of the URL.',
        attributes: { maxlength: SUITE_NAME_MAX_LENGTH },
      },
    },
    problem,
  );
  const page = { kind: 'page', view: 'single-pages/new', title: 'New single page', width: 'narrow' } as const;
  return { ...page, model: { fields, problem }, section: 'single-pages' };
});

/** The first run, which captures the baseline, starts immediately. */
export const postNewSinglePage = formRoute(
  { path: '/single-pages/new', form: Form, redisplay: getNewSinglePage.show },
  async (ctx, { viewer, form }) => {
    const { singlePage, run } = await createSinglePage(ctx, viewer, form);
    return redirect(`/runs/${run.id}`, `Added ${singlePage.name}. The first run captures the baseline.`);
  },
);
