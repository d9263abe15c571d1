import { z } from 'zod';
import { PATH_MAX_LENGTH } from '../../pages/page-identity.ts';
import { BaselineVersion } from './baseline-schemas.ts';
import { IsoDate, PublicId } from './common-schemas.ts';
import { namedObject } from './components.ts';
import { PageResult } from './result-schemas.ts';

export const ScreenshotQuery = z.object({
  path: z.string().min(1).max(PATH_MAX_LENGTH).describe('Path and query string of the page'),
  viewport: z.string().min(1).max(100).describe('The name of the viewport'),
});

const { version, source, approvedAt, testRunId, prNumber, note, restoredVersion } = BaselineVersion.shape;
const { id, status, cause, approved, diffScore, stability } = PageResult.shape;

export const Screenshot = namedObject('Screenshot', {
  path: z.string(),
  viewport: z.string(),
  stability: z
    .object({ unstable: z.int(), results: z.int() })
    .nullable()
    .describe('How many of the results in the newest 20 runs never looked the same twice. null: none'),
  versions: z
    .array(z.object({ version, source, approvedAt, testRunId, prNumber, note, restoredVersion, diffScore }))
    .describe('The newest ten versions of its baseline, the current one first'),
  results: z
    .array(
      z.object({
        id,
        status,
        cause,
        approved,
        diffScore,
        stability,
        testRunId: PublicId,
        runNumber: z.int(),
        at: IsoDate,
      }),
    )
    .describe('What the newest ten runs that captured it found'),
});
