import * as grants from '../../src/access/grants.ts';
import type { Permission } from '../../src/access/role.ts';
import type { Viewer } from '../../src/auth/user.ts';
import { compareVersions as compare } from '../../src/baselines/compare-screenshots.ts';
import * as baselines from '../../src/baselines/read-baselines.ts';
import { getVersionFor, getVersionPairFor } from '../../src/baselines/read-baselines.ts';
import type { Context } from '../../src/context.ts';
import * as approve from '../../src/review/approval/approve-run.ts';
import * as decideRun from '../../src/review/approval/decide.ts';
import { promoteResult, restoreVersion } from '../../src/review/approval/promote-through-api.ts';
import * as undo from '../../src/review/approval/undo-approval.ts';
import * as lists from '../../src/review/list/list-for-review.ts';
import * as review from '../../src/review/list/list-for-review.ts';
import * as overview from '../../src/review/overview/read-run-overview.ts';
import * as cancel from '../../src/runs/end-run.ts';
import * as logs from '../../src/runs/log/read-logs.ts';
import * as pages from '../../src/runs/page-results/read-pages.ts';
import { getResultFor, getRunFor, type RunFor } from '../../src/runs/read-run.ts';
import * as rerun from '../../src/runs/rerun-errors.ts';
import { findResults } from '../../src/runs/results/result-store.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import type { Run } from '../../src/runs/run.ts';
import * as start from '../../src/runs/start-run.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import * as remove from '../../src/suites/suite-life.ts';
import type { SuiteFor, SuiteForViewer } from '../../src/suites/suite.ts';
import * as update from '../../src/suites/update-suite.ts';

/*
 * What a request does, without HTTP: authorize its viewer, then call a reader or a use case. Each function has the
 * name of the reader or use case.
 */

type Database = Pick<Context, 'db'>;

/** The arguments of a reader or use case after the context and the authorized suite or run. */
type Rest<F> = F extends (ctx: never, authorized: never, ...rest: infer R) => unknown ? R : never;

export const startRun = async (
  ctx: Pick<Context, 'db' | 'network'>,
  viewer: Viewer,
  suite: { id: string },
  input: start.StartRun,
) => start.startRun(ctx, await getSuiteFor(ctx, viewer, suite.id, 'suite.run'), input);

export const shareSuite = async (ctx: Database, viewer: Viewer, suite: { id: string }, input: grants.ShareInput) =>
  grants.shareSuite(ctx, await getSuiteFor(ctx, viewer, suite.id, 'suite.share'), input);

export const deleteSuite = async (
  ctx: Database,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof remove.deleteSuite>
) => remove.deleteSuite(ctx, await getSuiteFor(ctx, viewer, id, 'suite.delete'), ...rest);

export const updateSuite = async (
  ctx: Pick<Context, 'db' | 'network' | 'config'>,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof update.updateSuite>
) => update.updateSuite(ctx, await getSuiteFor(ctx, viewer, id, 'suite.edit'), ...rest);

export const readRun = async (ctx: Database, viewer: Viewer, id: string, permission: Permission) =>
  readWhole(ctx, await getRunFor(ctx, viewer, id, permission));

/** A run with all its results, in their order. */
export type RunDetail = { run: Run; suite: SuiteForViewer; results: PageResult[] };

async function readWhole(ctx: Database, run: RunFor): Promise<RunDetail> {
  return { run: { ...run }, suite: run.suite, results: await findResults(ctx.db, run.id) };
}

export const cancelRun = async (ctx: Pick<Context, 'db' | 'clock'>, viewer: Viewer, id: string) =>
  cancel.cancelRun(ctx, await getRunFor(ctx, viewer, id, 'suite.run'));

export const rerunErrors = async (ctx: Database, viewer: Viewer, id: string, input: { url: string }) =>
  rerun.rerunErrors(ctx, await getRunFor(ctx, viewer, id, 'suite.run'), input);

export const rerunAllErrors = async (ctx: Database, viewer: Viewer, id: string) =>
  rerun.rerunAllErrors(ctx, await getRunFor(ctx, viewer, id, 'suite.run'));

export const readLogPart = async (ctx: Database, viewer: Viewer, id: string, ...rest: Rest<typeof logs.readLogPart>) =>
  logs.readLogPart(ctx, await getRunFor(ctx, viewer, id, 'suite.read'), ...rest);

export const readLogs = async (ctx: Database, viewer: Viewer, id: string, after?: string) =>
  listLogs(ctx, await getRunFor(ctx, viewer, id, 'suite.read'), after);

export const countLogLines = async (ctx: Database, viewer: Viewer, id: string) =>
  logs.countLogLines(ctx, await getRunFor(ctx, viewer, id, 'suite.read'));

export const approveRun = async (
  ctx: Pick<Context, 'db' | 'storage' | 'log' | 'compareImages'>,
  viewer: Viewer,
  id: string,
  approval: approve.Approval,
) => approve.approveRun(ctx, await getRunFor(ctx, viewer, id, 'suite.approve'), approval);

export const undoApproval = async (
  ctx: Pick<Context, 'db' | 'storage' | 'log' | 'compareImages'>,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof undo.undoApproval>
) => undo.undoApproval(ctx, await getRunFor(ctx, viewer, id, 'suite.approve'), ...rest);

export const decide = async (
  ctx: Pick<Context, 'db' | 'storage' | 'log' | 'compareImages'>,
  viewer: Viewer,
  id: string,
  input: decideRun.DecisionInput,
) => decideRun.decide(ctx, await getRunFor(ctx, viewer, id, 'suite.approve'), input);

export const listReviewRows = async (
  ctx: Database,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof lists.listReviewRows>
) => lists.listReviewRows(ctx, await getRunFor(ctx, viewer, id, 'suite.read'), ...rest);

export const listReviewGroups = async (
  ctx: Database,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof lists.listReviewGroups>
) => lists.listReviewGroups(ctx, await getRunFor(ctx, viewer, id, 'suite.read'), ...rest);

export const readRunOverview = async (ctx: Pick<Context, 'db' | 'clock'>, viewer: Viewer, id: string) =>
  overview.readRunOverview(ctx, await getRunFor(ctx, viewer, id, 'suite.read'));

export const readReviewResult = async (
  ctx: Database,
  viewer: Viewer,
  id: string,
  ...rest: Rest<typeof review.readReviewResult>
) => review.readReviewResult(ctx, await getRunFor(ctx, viewer, id, 'suite.read'), ...rest);

export const compareVersions = async (
  ctx: Pick<Context, 'db' | 'storage' | 'compareImages'>,
  viewer: Viewer,
  pair: { fromVersionId: string; toVersionId: string },
) => {
  const { from, to } = await getVersionPairFor(ctx, viewer, pair);
  return { from, to, ...(await compare(ctx, from, to)) };
};

/** Makes a result's screenshot, or an old version, the current baseline. */
export const promoteThroughApi = async (
  ctx: Pick<Context, 'db' | 'storage' | 'log' | 'compareImages'>,
  viewer: Viewer,
  {
    pageResultId,
    baselineVersionId = '',
  }: { pageResultId?: string | undefined; baselineVersionId?: string | undefined },
) =>
  pageResultId === undefined
    ? restoreVersion(ctx, await getVersionFor(ctx, viewer, baselineVersionId, 'suite.approve'), { note: null })
    : promoteResult(ctx, await getResultFor(ctx, viewer, pageResultId, 'suite.approve'), { note: null });

/** The lists of a test are short: one part has all of them. */
const ALL = { limit: 1000, after: null };

export const listLogs = async (ctx: Database, run: RunFor, afterLine?: string) =>
  (await logs.readLogs(ctx, run, { ...ALL, afterLine })).items;

export const listVersions = async (ctx: Database, suite: SuiteFor, filter: { path?: string | undefined }) =>
  (await baselines.listVersions(ctx, suite, filter, ALL)).items;

export const listBaselines = async (ctx: Database, suite: SuiteFor) =>
  (await baselines.listBaselines(ctx, suite, ALL)).items;

export const readPageHistory = async (ctx: Database, suite: SuiteFor, page: { path: string }, viewport?: string) =>
  (await baselines.readPageHistory(ctx, suite, page, { ...ALL, viewport })).items;

export const listPages = async (ctx: Database, suite: SuiteFor) => {
  const { pages: found, crawl, counts } = await pages.listPages(ctx, suite, ALL);
  const { total, tracked, new: added, removed } = counts;
  return { pages: found, crawl, counts: { total, tracked, new: added, removed } };
};
