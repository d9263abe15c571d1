import { z } from 'zod';
import { STORED_KINDS } from '../../retention/stored.ts';
import { IsoDate, namedObject, PublicId, wholeNumber } from './common-schemas.ts';

/** Limits to try. */
export const StorageQuery = z.object({
  keepDays: wholeNumber(0, 36_500).optional().describe('What it would free to keep runs for this many days'),
  keepRuns: wholeNumber(0, 1_000_000).optional().describe('What it would free to keep this many runs of a suite'),
});

const reportFields = {
  kinds: z
    .array(z.object({ kind: z.enum(STORED_KINDS), count: z.int(), bytes: z.int() }))
    .describe(
      'What is stored. `baselines`, `screenshots` and `diffs` are images, `elements` what is kept with them, `copies` smaller images, `logs` lines in the database, and `left` is removed within days',
    ),
  limits: z
    .object({ keepDays: z.int(), keepRuns: z.int() })
    .describe('Those that `frees` is about: the given ones, or else those that hold. 0: without limit'),
  frees: z
    .object({ runs: z.int(), results: z.int(), bytes: z.int() })
    .describe('What the next sweep removes with these limits. Bytes are those of the last count'),
};

export const SuiteStorage = namedObject('SuiteStorage', {
  countedAt: IsoDate.nullable().describe('Null: not counted yet'),
  ...reportFields,
});

export const InstallationStorage = namedObject('InstallationStorage', {
  ...reportFields,
  suites: z
    .array(z.object({ id: PublicId, name: z.string(), bytes: z.int(), countedAt: IsoDate }))
    .describe('The suites that store most, at most 100'),
});
