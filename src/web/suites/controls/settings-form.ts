import { z } from 'zod';
import { SUITE_CONFIG, SuiteConfigInput } from '../../../suites/config/suite-config.ts';
import { SuiteName } from '../../../suites/suite-input.ts';
import { readTyped } from '../../problem.ts';
import { readConfig } from './config-controls.ts';
import { AddressField, DescriptionOrNull } from './suite-form.ts';

const Settings = z.object({
  name: SuiteName,
  baseUrl: AddressField,
  description: DescriptionOrNull,
  config: SuiteConfigInput,
  version: z.string().optional(),
});

/** Converts the form's flat fields to the change that the API accepts. The field names are the paths of issues. */
export const SettingsForm = z
  .preprocess((body) => {
    const typed = readTyped(body);
    const { name = '', baseUrl = '', description, version } = typed;
    return { name, baseUrl, description, config: readConfig(typed), version };
  }, Settings)
  .transform(({ version, ...settings }) => ({
    settings: { ...settings, config: SUITE_CONFIG.withoutDefaults(settings.config) ?? {} },
    /** Of the settings that the page showed. */
    version,
  }));
