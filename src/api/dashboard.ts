import { z } from 'zod';
import { searchEverything } from '../pull-requests/search-everything.ts';
import { readDashboard } from '../runs/list/list-runs.ts';
import { describeSubject, nameRun } from '../runs/run-name.ts';
import { REVIEW_STATES, RUN_STATUSES } from '../runs/run.ts';
import { SEARCH_MAX_LENGTH } from '../runs/search/run-search.ts';
import { SUITE_KINDS } from '../suites/suite.ts';
import { route } from './api-route.ts';
import { TestRunWithSuite } from './run-schemas.ts';
import { presentRunWithSuite } from './runs/present-run.ts';
import { namedObject, PublicId } from './suite-schemas.ts';

const SuiteName = z.object({ id: PublicId, name: z.string() });

const SearchResults = namedObject('SearchResults', {
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

export const getDashboard = route(
  {
    operationId: 'readDashboard',
    summary: 'Read an overview of the suites that the caller has access to',
    response: namedObject('DashboardStats', {
      totalTestSuites: z.int().describe('Suites that are crawled. Single pages (kind MANUAL) are not counted'),
      recentTestRuns: z.array(TestRunWithSuite).describe('Newest first, including those of single pages'),
      runningTests: z.int().describe('Runs that are PENDING or RUNNING, including those of single pages'),
    }),
  },
  async (ctx, { viewer }) => {
    const { totalTestSuites, recentTestRuns, runningTests } = await readDashboard(ctx, viewer);
    return { totalTestSuites, recentTestRuns: recentTestRuns.map(presentRunWithSuite), runningTests };
  },
);

export const getSearch = route(
  {
    operationId: 'search',
    summary: 'Search suites, pages, pull requests and runs that the caller has access to',
    description:
      'Finds suites by any part of their name or URL; pages by parts of their path or title; pull requests and runs by number, or by parts of branch, title or commit message. A part of one or two characters must begin a word. `#12` finds the number 12 only. At most 6 of each kind.',
    query: z.object({ q: z.string().trim().min(1, 'must not be empty').max(SEARCH_MAX_LENGTH) }),
    response: SearchResults,
  },
  async (ctx, { viewer, query }) => {
    const { suites, pages, pullRequests, withoutRun, runs } = await searchEverything(ctx, viewer, query.q);
    return {
      suites,
      pages: pages.map((page) => ({ ...page, testSuite: { id: page.testSuiteId, name: page.suiteName } })),
      pullRequests: [
        ...pullRequests.map((run) => ({
          number: run.git?.prNumber ?? 0,
          name: describeSubject(run).what,
          testRunId: run.id,
          testSuite: run.testSuite,
        })),
        ...withoutRun.map(({ number, name, testSuiteId, suiteName }) => ({
          number,
          name,
          testRunId: null,
          testSuite: { id: testSuiteId, name: suiteName },
        })),
      ],
      testRuns: runs.map((run) => ({ ...run, name: nameRun(run) })),
    };
  },
);
