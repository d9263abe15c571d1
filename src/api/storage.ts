import { z } from 'zod';
import { MOST_KEPT } from '../environment.ts';
import { onSuite } from '../http/acts-on.ts';
import { readStorage, readSuiteStorage, type StorageReport } from '../retention/read-storage.ts';
import { limitsAsked, STORED_KINDS } from '../retention/stored.ts';
import { route } from './api-route.ts';
import { IsoDate, namedObject, PublicId, wholeNumber } from './suite-schemas.ts';

/** Limits to try. */
const StorageQuery = z.object({
  keepDays: wholeNumber(0, MOST_KEPT.days).optional().describe('What it would free to keep runs for this many days'),
  keepRuns: wholeNumber(0, MOST_KEPT.runs).optional().describe('What it would free to keep this many runs of a suite'),
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

const InstallationStorage = namedObject('InstallationStorage', {
  ...reportFields,
  suites: z
    .array(z.object({ id: PublicId, name: z.string(), bytes: z.int(), countedAt: IsoDate }))
    .describe('The suites that store most, at most 100'),
});

const present = ({ kinds, limits, frees }: Omit<StorageReport, 'countedAt'>) => ({
  kinds: STORED_KINDS.map((kind) => ({ kind, ...kinds[kind] })),
  limits: { keepDays: limits.days, keepRuns: limits.runs },
  frees,
});

export const getSuiteStorage = route(
  {
    operationId: 'readSuiteStorage',
    summary: 'Read what is stored of a suite, and what other limits would free',
    ...onSuite('suite.read'),
    query: StorageQuery,
    response: namedObject('SuiteStorage', {
      countedAt: IsoDate.nullable().describe('Null: not counted yet'),
      ...reportFields,
    }),
  },
  async (ctx, { suite, query }) => {
    const report = await readSuiteStorage(ctx, suite, limitsAsked(query));
    return { countedAt: report.countedAt, ...present(report) };
  },
);

export const getStorage = route(
  {
    operationId: 'readStorage',
    summary: 'Read what is stored of all suites, and what other limits would free (administrators only)',
    query: StorageQuery,
    response: InstallationStorage,
    failures: { 403: 'Only administrators may read it' },
  },
  async (ctx, { viewer, query }) => {
    const report = await readStorage(ctx, viewer, limitsAsked(query));
    return { ...present(report), suites: report.suites };
  },
);
