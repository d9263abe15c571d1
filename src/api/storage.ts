import { onSuite } from '../http/acts-on.ts';
import { limitsAsked } from '../retention/limits.ts';
import { readStorage, readSuiteStorage, type StorageReport } from '../retention/read-storage.ts';
import { STORED_KINDS } from '../retention/stored.ts';
import { route } from './api-route.ts';
import * as storage from './schemas/storage-schemas.ts';

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
    query: storage.StorageQuery,
    response: storage.SuiteStorage,
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
    query: storage.StorageQuery,
    response: storage.InstallationStorage,
    failures: { 403: 'Only administrators may read it' },
  },
  async (ctx, { viewer, query }) => {
    const report = await readStorage(ctx, viewer, limitsAsked(query));
    return { ...present(report), suites: report.suites };
  },
);
