import { httpUrlProblem, URL_MAX_LENGTH } from '../../../suites/http-url.ts';
import {
  DESCRIPTION_MAX_LENGTH,
  SUITE_NAME_MAX_LENGTH,
  SuiteAddress,
  SuiteDescription,
} from '../../../suites/suite-input.ts';

/** Checked together with the other fields, so that all problems are shown together. */
export const AddressField = SuiteAddress.superRefine((text, check) => {
  const message = httpUrlProblem(text);
  if (message !== null) check.addIssue(message);
});

/** Forms send an empty text if there is no description. */
export const DescriptionOrNull = SuiteDescription.optional().transform((text) => text || null);

/** The three fields that every suite has. Callers add the values. */
export const SUITE_FIELDS = {
  name: { label: 'Name', required: true, attributes: { maxlength: SUITE_NAME_MAX_LENGTH, autocomplete: 'off' } },
  baseUrl: {
    label: 'Base URL',
    type: 'url' as const,
    required: true,
    note: 'The URL of the site, including http:// or https://. Crawls start here and stay on this host.',
    attributes: {
      maxlength: URL_MAX_LENGTH,
      autocomplete: 'off',
      placeholder: 'https://example.com',
      spellcheck: 'false',
    },
  },
  description: {
    label: 'Description',
    type: 'textarea' as const,
    attributes: { maxlength: DESCRIPTION_MAX_LENGTH, rows: 2 },
  },
};
