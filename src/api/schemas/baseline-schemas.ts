import { z } from 'zod';
import { BASELINE_SOURCES } from '../../baselines/baseline.ts';
import { Id } from '../../http/acts-on.ts';
import { ImageUrl, IsoDate, named, namedObject, PublicId, recordFields } from './common-schemas.ts';
import { reviewerNote } from './result-schemas.ts';
import { UserSummary } from './user-schemas.ts';

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

export const BaselineVersion = namedObject('BaselineVersion', {
  ...recordFields,
  testSuiteId: PublicId,
  path: z.string(),
  url: z.string(),
  viewport: z.string(),
  version: z.int(),
  filePath: ImageUrl,
  source: BaselineSource,
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate,
  testRunId: PublicId.nullable(),
  pageResultId: PublicId.nullable(),
  diffScore,
  prNumber: z.int().nullable(),
  note: z.string().nullable(),
  restoredVersion: z.int().nullable().describe('The earlier version whose screenshot it has again'),
});

const BaselineVersionRef = namedObject('BaselineVersionRef', {
  id: PublicId,
  version: z.int(),
  filePath: ImageUrl,
  viewport: z.string(),
  approvedAt: IsoDate,
});

export const BaselineVersionEvent = namedObject('BaselineVersionEvent', {
  id: PublicId,
  viewport: z.string(),
  version: z.int(),
  filePath: ImageUrl,
  previousFilePath: ImageUrl.nullable(),
  previousVersionId: PublicId.nullable(),
  source: BaselineSource,
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate,
  diffScore,
  prNumber: z.int().nullable(),
  testRunId: PublicId.nullable(),
  note: z.string().nullable(),
  restoredVersion: z.int().nullable().describe('The earlier version whose screenshot it has again'),
});

export const PageCurrentBaseline = namedObject('PageCurrentBaseline', {
  viewport: z.string(),
  version: z.int(),
  filePath: ImageUrl,
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate,
  source: BaselineSource,
});

export const BASELINES_AT_ONCE = { most: 1000, place: z.tuple([z.string(), z.string()]) };
export const VERSIONS_AT_ONCE = { most: 1000, place: z.tuple([z.string(), z.string(), z.int()]) };

export const ListBaselinesQuery = z.object({ testSuiteId: Id });
export const BaselineParams = z.object({ id: Id.describe('The baseline') });

export const PromoteBaselineInput = named(
  'PromoteBaselineInput',
  z
    .object({ pageResultId: Id.optional(), baselineVersionId: Id.optional(), note: reviewerNote })
    .describe('Exactly one of `pageResultId` and `baselineVersionId`. The latter restores an earlier version.'),
);

export const ListVersionsQuery = z.object({
  suiteId: Id,
  path: z.string().optional(),
  viewport: z.string().optional(),
});

export const CompareBaselinesInput = namedObject('CompareBaselinesInput', { fromVersionId: Id, toVersionId: Id });

export const CompareBaselinesResponse = namedObject('CompareBaselinesResponse', {
  from: BaselineVersionRef,
  to: BaselineVersionRef,
  diffFile: ImageUrl,
  diffScore: z
    .number()
    .describe(
      'Similarity, 0 to 100; 100 = identical. In results and versions, `diffScore` is the opposite: a difference.',
    ),
  diffPercentage: z.number().describe('Percentage of differing pixels, 0 to 100'),
  dimensions: z.object({ width: z.int(), height: z.int() }).describe('Size of the diff image in pixels'),
});
