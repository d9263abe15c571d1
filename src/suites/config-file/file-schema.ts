import { z } from 'zod';
import { PreviewMatcherInput, PreviewTemplate } from '../config/preview-matcher.ts';
import { SUITE_CONFIG } from '../config/suite-config.ts';
import { suiteKey } from './config-file.ts';

const MAX_PATTERN = 500;
const MAX_PATTERNS = 200;
const MAX_SUITES = 100;

const Pattern = z.string('must be text').min(1, 'must not be empty').max(MAX_PATTERN, 'is too long');

/** A single pattern needs no list. */
const Patterns = z
  .union(
    [Pattern, z.array(Pattern, 'must be a list of patterns').max(MAX_PATTERNS, 'has too many patterns')],
    'must be a pattern or a list of patterns',
  )
  .nullish();

const flag = z.boolean('must be true or false').nullish();

/** What only the file can say, for the repository or for one of its suites. */
const REPOSITORY_SETTINGS = {
  preview: PreviewMatcherInput.nullish().describe(
    'Which preview of a commit is the suite’s, for repositories with several',
  ),
  previewUrl: PreviewTemplate.nullish().describe(
    'The URL of previews when no deployment reports one. {number}, {branch} and {sha} are replaced.',
  ),
  ignoreDrafts: flag.describe('Leave out draft pull requests until they are ready for review. Default: false.'),
  paths: Patterns.describe(
    'Run only if one of these files changes. The last pattern that matches decides, and ! excludes. Default: every change counts.',
  ),
  runAfterMerge: flag.describe(
    'After each merge into a base branch, run the suite against its own site. Default: false.',
  ),
};

/** The configuration of a suite, as in the API. */
const CONFIG_SETTINGS: Record<string, z.ZodType> = Object.fromEntries(
  Object.entries(SUITE_CONFIG.fields)
    .filter(([name]) => name !== 'preview')
    .map(([name, { input }]) => [name, input]),
);

export const CONFIG_KEYS: readonly string[] = Object.keys(CONFIG_SETTINGS);

const ONE_SUITE = { ...CONFIG_SETTINGS, ...REPOSITORY_SETTINGS };

/** The output has the types of what only the file can say; the rest is parsed as a configuration. */
export const SuiteInFile = z.object(REPOSITORY_SETTINGS);
export type SuiteInFile = z.output<typeof SuiteInFile>;

export const ConfigFileInput = z.strictObject({
  $schema: z.string().optional().describe('The address of this schema, for editors'),
  ...ONE_SUITE,
  suites: z
    .record(z.string(), z.strictObject(ONE_SUITE).nullable())
    .refine((suites) => Object.keys(suites).length <= MAX_SUITES, `must have at most ${MAX_SUITES} suites`)
    .refine((suites) => new Set(Object.keys(suites).map(suiteKey)).size === Object.keys(suites).length, {
      error: 'must name each suite once: upper and lower case are the same',
    })
    .nullish()
    .describe('For repositories with several suites: settings that differ for a suite, by its name'),
});

/** Maps in the file accept no unknown keys. */
export type KnownKeys = {
  properties?: Record<string, KnownKeys>;
  additionalProperties?: KnownKeys | boolean;
  items?: KnownKeys;
  anyOf?: KnownKeys[];
  oneOf?: KnownKeys[];
};

const SCHEMA = z.toJSONSchema(ConfigFileInput, {
  target: 'draft-7',
  io: 'input',
  // The API ignores unknown fields of a viewport. In a file they are mistakes.
  override: ({ jsonSchema }) => {
    if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false;
  },
});

/** The JSON Schema of the file, for editors and for the keys that it may have. */
export const CONFIG_FILE_SCHEMA: KnownKeys & Record<string, unknown> = JSON.parse(
  JSON.stringify({
    title: 'Pixelgate configuration',
    description: 'Settings in .github/pixelgate.yml. All of them are optional.',
    ...SCHEMA,
  }),
);
