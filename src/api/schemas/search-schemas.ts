import { z } from 'zod';
import { REVIEW_STATES, RUN_STATUSES } from '../../runs/run.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/search/run-search.ts';
import { SUITE_KINDS } from '../../suites/suite.ts';
import { namedObject, PublicId } from './common-schemas.ts';

export const SearchQuery = z.object({ q: z.string().trim().min(1, 'must not be empty').max(SEARCH_MAX_LENGTH) });

const SuiteName = z.object({ id: PublicId, name: z.string() });

export const SearchResults = namedObject('SearchResults', {
  suites: z.array(z.object({ id: PublicId, name: z.string(), baseUrl: z.string(), kind: z.enum(SUITE_KINDS) })),
  pages: z.array(z.object({ id: PublicId, path: z.string(), title: z.string().nullable(), testSuite: SuiteName })),
  pullRequests: z.array(
    z.object({
      number: z.int(),
      name: z.string().describe('With its title, where that is known'),
      testRunId: PublicId.nullable().describe('The newest run that matches. null: the suite has no run of it'),
      testSuite: SuiteName,
    }),
  ),
  testRuns: z.array(
    z.object({
      id: PublicId,
      number: z.int(),
      name: z.string(),
      status: z.enum(RUN_STATUSES),
      reviewState: z.enum(REVIEW_STATES),
      testSuite: SuiteName,
    }),
  ),
});
