import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { LOG_TYPES } from '../../runs/log/run-log.ts';
import { IsoDate, named, namedObject, PublicId } from './common-schemas.ts';
import { PageResult } from './result-schemas.ts';

const TestRunLog = namedObject('TestRunLog', {
  id: PublicId,
  testRunId: PublicId,
  type: named('LogType', z.enum(LOG_TYPES)),
  message: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  progress: z.number().nullable().describe('0 to 100'),
  timestamp: IsoDate,
  createdAt: IsoDate,
  updatedAt: IsoDate,
});

export const LogsQuery = z.object({
  after: Id.optional().describe('The ID of a log line. Only newer lines are returned.'),
});

export const LINES_AT_ONCE = { most: 1000, place: z.tuple([z.int()]) };

export const TestRunLogsResponse = namedObject('TestRunLogsResponse', {
  testRunId: PublicId,
  logs: z.array(TestRunLog).describe('Oldest first'),
  count: z.int().describe('How many lines are in this answer'),
});

const counts = { passed: z.int(), failed: z.int(), errors: z.int(), pending: z.int() };

const UrlStats = namedObject('UrlStats', counts);

export const RESULTS_AT_ONCE = { most: 10_000, place: z.tuple([z.string(), z.int()]) };

export const TestRunResultsResponse = namedObject('TestRunResultsResponse', {
  groups: named('GroupedPageResults', z.record(z.string(), z.array(PageResult)).describe('By path')),
  stats: named('TestRunStats', z.object({ total: z.int(), ...counts })),
  urls: z.record(z.string(), UrlStats).describe('By path'),
});
