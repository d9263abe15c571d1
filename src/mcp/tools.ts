import { z } from 'zod';
import { ROUTES, type Route } from '../api/route-list.ts';
import type { Viewer } from '../auth/user.ts';

/** A tool: an operation of the API, with fewer parameters and a shorter answer. */
export type Tool = {
  name: string;
  route: Route;
  /** The parameters of the operation that the tool has. */
  takes: readonly string[];
  /** What it sends in addition. */
  fixed: Readonly<Record<string, string>>;
  /** The part of the answer that is kept. */
  keeps: z.ZodType;
  /** Said after what the operation says of itself. */
  hint: string;
  /** The answer's pictures are added. */
  hasPictures: boolean;
};

function routeOf(operationId: string): Route {
  const route = ROUTES.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`There is no operation ${operationId}`);
  return route;
}

type About = Pick<Tool, 'takes'> & Partial<Pick<Tool, 'fixed' | 'keeps' | 'hint' | 'hasPictures'>>;

function tool(name: string, operationId: string, about: About): Tool {
  const { takes, fixed = {}, keeps = z.unknown(), hint = '', hasPictures = false } = about;
  return { name, route: routeOf(operationId), takes, fixed, keeps, hint, hasPictures };
}

const A_PART = { limit: '10' };

const Found = z.object({
  testRuns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      testSuite: z.object({ id: z.string(), name: z.string() }).nullable(),
      status: z.string(),
      reviewState: z.string(),
      git: z
        .object({ prNumber: z.int().optional(), branch: z.string().optional(), headSha: z.string().optional() })
        .nullable(),
      createdAt: z.string(),
      endedAt: z.string().nullable(),
      metadata: z.object({ errorTests: z.int().optional(), error: z.string().optional() }).nullable(),
    }),
  ),
});

const Variants = z.array(
  z.object({
    id: z.string(),
    count: z.int(),
    pages: z.array(z.string()),
    viewports: z.array(z.string()),
    state: z.string(),
    pictures: z.array(z.object({ viewport: z.string(), resultId: z.string() })),
  }),
);

const Cancelled = z.object({ id: z.string(), name: z.string(), status: z.string() });

/**
 * All tools, in the order in which they are listed. Approving is none of them: the gate is there so that a person has
 * looked.
 */
export const TOOLS: readonly Tool[] = [
  tool('find_runs', 'listTestRuns', {
    takes: ['testSuiteId', 'pullRequest', 'headSha', 'branch', 'status', 'reviewState', 'search', 'cursor'],
    fixed: A_PART,
    keeps: Found,
    hint: 'Use it to find the run of a pull request, commit or branch. Ten runs a page.',
  }),
  tool('wait_for_run', 'waitForTestRun', { takes: ['id', 'seconds'] }),
  tool('summarize_run', 'summarizeTestRun', {
    takes: ['id', 'cursor'],
    fixed: A_PART,
    hint: 'Ten changes a page.',
  }),
  tool('show_change', 'listVariants', {
    takes: ['id', 'changeId', 'cursor'],
    fixed: { limit: '1' },
    keeps: Variants,
    hint: 'One variant a page, with pictures of it: the first is before, the second after.',
    hasPictures: true,
  }),
  tool('explain_failures', 'explainTestRun', { takes: ['id'] }),
  tool('screenshot_history', 'readScreenshot', { takes: ['id', 'path', 'viewport'] }),
  tool('list_suites', 'listTestSuites', {
    takes: ['cursor'],
    fixed: { limit: '20' },
    keeps: z.array(z.object({ id: z.string(), name: z.string(), baseUrl: z.string(), isActive: z.boolean() })),
  }),
  tool('start_run', 'runTestSuite', {
    takes: ['id', 'targetBaseUrl', 'branch', 'headSha', 'prNumber', 'buildId', 'render'],
  }),
  tool('cancel_run', 'updateTestRun', { takes: ['id'], fixed: { action: 'cancel' }, keeps: Cancelled }),
];

/** Whether this caller may call it. A person's own token may do what the person may. */
export function isOpenTo({ route }: Tool, { within }: Viewer): boolean {
  if (within === undefined) return true;
  return route.suiteToken !== undefined && within.scopes.includes(route.suiteToken);
}
