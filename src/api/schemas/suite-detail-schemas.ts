import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { SUITE_NAME_MAX_LENGTH, SuiteAddress } from '../../suites/suite-input.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { Baseline } from './baseline-schemas.ts';
import { Address, IsoDate, named, namedObject, PublicId, TimePlace } from './common-schemas.ts';
import { TestRun } from './run-schemas.ts';
import { TestSuite } from './suite-schemas.ts';

export const TestSuiteDetail = named(
  'TestSuiteDetail',
  TestSuite.extend({
    _count: z.object({ testRuns: z.int(), baselines: z.int() }),
    _links: z.object({ testRuns: Address, baselines: Address }).describe('URL of the full list'),
    settingsVersion: z.string().describe('Stands for name, base URL, description and config as they are'),
    nextRunAt: IsoDate.nullable().describe('When it runs by itself: see `config.schedule`'),
    testRuns: z.array(TestRun).describe('The newest 20'),
    baselines: z.array(Baseline).describe('Of the first pages, at most 1,000'),
  }),
);

export const TestSuiteWithCountAndRuns = named(
  'TestSuiteWithCountAndRuns',
  TestSuite.extend({
    _count: z.object({ testRuns: z.int() }),
    testRuns: z.array(TestRun).describe('The newest 20'),
  }),
);

export const SUITES_AT_ONCE = { most: 100, usual: 50, place: TimePlace };

export const CreateManualRunInput = namedObject('CreateManualRunInput', {
  url: SuiteAddress.describe('An absolute http(s) URL'),
  name: trimmedText(SUITE_NAME_MAX_LENGTH).nullish().describe('Default: host and path of the URL'),
});

export const CreateManualRunResponse = namedObject('CreateManualRunResponse', {
  manualRun: TestSuite,
  testRunId: PublicId,
});

export const RunManualRunResponse = namedObject('RunManualRunResponse', { message: z.string(), testRunId: PublicId });

export const ManualRunParams = z.object({ id: Id.describe('The single page: a test suite of kind MANUAL') });
