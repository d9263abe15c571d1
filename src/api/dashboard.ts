import { searchEverything } from '../pull-requests/search-everything.ts';
import { readDashboard } from '../runs/list/list-runs.ts';
import { describeSubject, nameRun } from '../runs/run-name.ts';
import { route } from './api-route.ts';
import { presentRunWithSuite } from './runs/present-run.ts';
import { DashboardStats } from './schemas/run-schemas.ts';
import { SearchQuery, SearchResults } from './schemas/search-schemas.ts';

export const getDashboard = route(
  {
    operationId: 'readDashboard',
    summary: 'Read an overview of the suites that the caller has access to',
    response: DashboardStats,
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
    query: SearchQuery,
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
