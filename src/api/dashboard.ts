import { readDashboard } from '../runs/list-runs.ts';
import { presentRunWithSuite } from './present-run.ts';
import { route } from './api-route.ts';
import { DashboardStats } from './schemas/run-schemas.ts';

export const getDashboard = route(
  {
    operationId: 'readDashboard',
    summary: 'Read an overview of the suites that the caller has access to',
    tag: 'Dashboard',
    status: 200,
    response: DashboardStats,
  },
  async (ctx, { viewer }) => {
    const { totalTestSuites, recentTestRuns, runningTests } = await readDashboard(ctx, viewer);
    return { totalTestSuites, recentTestRuns: recentTestRuns.map(presentRunWithSuite), runningTests };
  },
);
