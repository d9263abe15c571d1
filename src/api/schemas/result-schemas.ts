import { z } from 'zod';
import { DECISIONS } from '../../review/verdicts/verdict.ts';
import { CAUSES, RESULT_STATUSES, SERVERS, STABILITIES } from '../../runs/results/result.ts';
import { ImageUrl, IsoDate, IsoText, named, namedObject, PublicId, recordFields } from './common-schemas.ts';

export const ResultStatus = named('ResultStatus', z.enum(RESULT_STATUSES));

export const verdictNumber = z.int();

export const seenVerdict = z
  .int()
  .min(0)
  .optional()
  .describe(
    'The `verdictNumber` of the result or its run that the decision is made on. If someone else has decided otherwise since, nothing changes and the response is 409 `decided_meanwhile`. Default: decide in any case.',
  );

export const Decision = named('Decision', z.enum(DECISIONS));

export const ResultCause = named('Cause', z.enum(CAUSES));

export const PageResult = namedObject('PageResult', {
  ...recordFields,
  testRunId: PublicId,
  url: z.string(),
  path: z.string().nullable().describe('Path and query string'),
  viewport: z.string(),
  status: ResultStatus,
  approved: z.boolean(),
  approvedById: PublicId.nullable(),
  approvedAt: IsoDate.nullable(),
  verdictNumber: verdictNumber.describe('Of the last verdict on this result; 0: none'),
  changesRequested: z.boolean().describe('A reviewer asks for changes'),
  isNew: z.boolean(),
  currentFile: ImageUrl.nullable(),
  baselineFile: ImageUrl.nullable(),
  diffFile: ImageUrl.nullable(),
  diffScore: z
    .number()
    .nullable()
    .describe('Percentage of pixels that differ once what moved is aligned, 0 to 100; 0 = identical'),
  cause: ResultCause.nullable().describe(
    'Why the result differs. Only a FAIL whose cause is CHANGE needs an approval.',
  ),
  causePullRequest: z
    .int()
    .nullable()
    .describe('The pull request that the change comes from. For BEHIND, the one whose merge the branch is missing'),
  causeVersion: z.int().nullable().describe('For BEHIND: the baseline version that the screenshot matches'),
  proof: z
    .object({ at: IsoText, requests: z.int().describe('That were compared') })
    .nullable()
    .describe(
      'The page passed without a screenshot, because everything it is made of is served as when its baseline was captured. Null: it was captured',
    ),
  stability: named('Stability', z.enum(STABILITIES))
    .nullable()
    .describe('Stable at the first screenshot, stable after several, or never the same twice'),
  faint: z.boolean().describe('Whether every difference is too faint for most people to see'),
  cut: z.boolean().describe('Whether the screenshot does not show the whole page'),
  controlFile: ImageUrl.nullable().describe('A screenshot of the suite’s own site, captured when this result differed'),
  servers: z
    .enum(SERVERS)
    .nullable()
    .describe(
      'Whether the preview and the suite’s own site were seen to be different servers. MAYBE_ONE: both show the same, which counts as a change because nothing tells them apart, see `POST /test-runs/{id}/different-servers`',
    ),
  leftOut: z
    .boolean()
    .describe('The settings of the pull request leave it out. It was captured with those of its base, to show it'),
  baseSettings: z
    .object({
      captured: z
        .enum(['DUE', 'TAKEN', 'FAILED'])
        .nullable()
        .describe('Whether there is a screenshot with these settings. null: it would be the same'),
      status: z.enum(['PASS', 'FAIL']).nullable(),
      diffScore: z.number().nullable().describe('Percentage of pixels that differ, 0 to 100; 0 = identical'),
      currentFile: ImageUrl.nullable(),
      diffFile: ImageUrl.nullable(),
    })
    .nullable()
    .describe('How the result would have come out with the settings of the base. null: as it did, or nobody looked'),
  changeIds: z.array(z.string()).describe('The changes of this result, see `GET /test-runs/{id}/changes`'),
  accessibilityIds: z
    .array(z.string())
    .describe('What assistive technology hears otherwise, see `GET /test-runs/{id}/accessibility`'),
  error: z.string().nullable(),
});

const counts = { passed: z.int(), failed: z.int(), errors: z.int(), pending: z.int() };

const UrlStats = namedObject('UrlStats', counts);

export const TestRunResultsResponse = namedObject('TestRunResultsResponse', {
  groups: named('GroupedPageResults', z.record(z.string(), z.array(PageResult)).describe('By path')),
  stats: named('TestRunStats', z.object({ total: z.int(), ...counts })),
  urls: z.record(z.string(), UrlStats).describe('By path'),
});
