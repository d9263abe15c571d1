import { z } from 'zod';
import { BASELINE_SOURCES } from '../../baselines/baseline.ts';
import { ImageUrl, IsoDate, named, namedObject, PublicId, recordFields, UserSummary } from './common-schemas.ts';

const BaselineSource = named('BaselineSource', z.enum(BASELINE_SOURCES));

const diffScore = z
  .number()
  .nullable()
  .describe(
    'Percentage of pixels that differ from the version it replaced, 0 to 100; 0 = identical. Measured again when another version was approved after the comparison. null for the first version, and when one of the two screenshots is missing or cannot be read',
  );

export const Baseline = namedObject('Baseline', {
  ...recordFields,
  testSuiteId: PublicId,
  url: z.string(),
  path: z.string().nullable(),
  viewport: z.string(),
  filePath: ImageUrl,
  isApproved: z.boolean().describe('False while the current version is INITIAL, which no person has approved'),
  currentVersion: z.int().nullable(),
  currentVersionId: PublicId.nullable(),
});

/** What a page shows of each of its versions, the current ones and earlier ones. */
const shownFields = {
  viewport: z.string(),
  version: z.int(),
  filePath: ImageUrl,
  source: BaselineSource,
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate,
};

const versionFields = {
  ...shownFields,
  testRunId: PublicId.nullable(),
  diffScore,
  prNumber: z.int().nullable(),
  note: z.string().nullable(),
  restoredVersion: z.int().nullable().describe('The earlier version whose screenshot it has again'),
};

export const BaselineVersion = namedObject('BaselineVersion', {
  ...recordFields,
  testSuiteId: PublicId,
  path: z.string(),
  url: z.string(),
  ...versionFields,
  pageResultId: PublicId.nullable(),
});

export const BaselineVersionEvent = namedObject('BaselineVersionEvent', {
  id: PublicId,
  ...versionFields,
  previousFilePath: ImageUrl.nullable(),
  previousVersionId: PublicId.nullable(),
});

export const PageCurrentBaseline = namedObject('PageCurrentBaseline', shownFields);
