import { z } from 'zod';
import { SUITE_CONFIG, SuiteConfigInput } from '../../../suites/config/suite-config.ts';
import {
  DESCRIPTION_MAX_LENGTH,
  httpUrlProblem,
  SUITE_NAME_MAX_LENGTH,
  SuiteAddress,
  SuiteDescription,
  SuiteName,
  URL_MAX_LENGTH,
} from '../../../suites/suite-input.ts';
import { readTyped } from '../../form-field.ts';
import { readConfig, shownLocked } from './config-controls.ts';

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

const Settings = z.object({
  name: SuiteName,
  baseUrl: AddressField,
  description: DescriptionOrNull,
  config: SuiteConfigInput,
  version: z.string().optional(),
  locked: z.array(z.string()),
});

/** Converts the form's flat fields to the change that the API accepts. The field names are the paths of issues. */
export const SettingsForm = z
  .preprocess((body) => {
    const typed = readTyped(body);
    const { name = '', baseUrl = '', description, version } = typed;
    return { name, baseUrl, description, config: readConfig(typed), version, locked: shownLocked(typed) };
  }, Settings)
  .transform(({ version, locked, ...settings }) => ({
    settings: { ...settings, config: SUITE_CONFIG.withoutDefaults(settings.config) ?? {} },
    /** Of the settings that the page showed. */
    version,
    locked,
  }));
