import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import { ROUTES } from '../api/route-list.ts';
import type { Route } from '../api/route-list.ts';

/** A tool: an operation of the API, with fewer parameters and a shorter answer. */
export type Tool = {
  name: string;
  route: Route;
  /** The parameters of the operation that the tool has. */
  takes: readonly string[];
  /** What it sends besides. */
  fixed: Readonly<Record<string, string>>;
  /** What is left of the answer. */
  keeps: z.ZodType;
  /** Said after what the operation says of itself. */
  hint: string;
};

function routeOf(operationId: string): Route {
  const route = ROUTES.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`There is no operation ${operationId}`);
  return route;
}

type About = Pick<Tool, 'takes'> & Partial<Pick<Tool, 'fixed' | 'keeps' | 'hint'>>;

const tool = (
  name: string,
  operationId: string,
  { takes, fixed = {}, keeps = z.unknown(), hint = '' }: About,
): Tool => ({
  name,
  route: routeOf(operationId),
  takes,
  fixed,
  keeps,
  hint,
});

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
    }),
  ),
});

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
  tool('summarize_run', 'summarizeTestRun', {
    takes: ['id', 'cursor'],
    fixed: A_PART,
    hint: 'Ten changes a page.',
  }),
];

/** Whether this caller may call it. A person's own token may do what the person may. */
export function isOpenTo({ route }: Tool, { within }: Viewer): boolean {
  if (within === undefined) return true;
  return route.suiteToken !== undefined && within.scopes.includes(route.suiteToken);
}
