import { z } from 'zod';

/** As the API takes them (contract 6). */
export const SuiteName = z.string().trim().min(1, 'must not be empty').max(200, 'must be 200 characters at most');
export const SuiteAddress = z.string().trim().min(1, 'must not be empty').max(2048, 'must be 2,048 characters at most');
export const SuiteDescription = z
  .string()
  .trim()
  .max(5000, 'must be 5,000 characters at most')
  .optional()
  .transform((text) => text || null);

/** Of the three fields that every suite has; values are added where there are some. */
export const SUITE_FIELDS = {
  name: { label: 'Name', required: true, attributes: { maxlength: 200, autocomplete: 'off' } },
  baseUrl: {
    label: 'Base URL',
    type: 'url' as const,
    required: true,
    note: 'Where the site is, with http:// or https://. Crawls begin here and stay on this host.',
    attributes: { maxlength: 2048, autocomplete: 'off', placeholder: 'https://example.com', spellcheck: 'false' },
  },
  description: { label: 'Description', type: 'textarea' as const, attributes: { maxlength: 5000, rows: 2 } },
};
