import type { Context } from '../../context.ts';
import { isRunnable } from '../../pages/site-page.ts';
import { listNewestRuns } from '../../runs/list/list-runs.ts';
import { readStability } from '../../runs/page-results/page-results-store.ts';
import { listPages } from '../../runs/page-results/read-pages.ts';
import { readCaptureNotices } from '../../runs/results/read-site-notices.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatSeconds } from '../../text/format.ts';
import type { Problem } from '../form-field.ts';
import { listPermissions } from '../permissions.ts';
import { listRunRows } from '../run-row.ts';
import type { Reply } from '../web-route.ts';
import { listPageRows } from './page-row.ts';
import { runForm } from './run-form.ts';
import { LISTS, suiteHead } from './suite-head.ts';

const RUNS_SHOWN = 5;
/** There is one, unless the API added more. */
const PAGES_SHOWN = 100;

/** A single page: its path (the API can add more), the form to run it, and its latest runs. */
export async function showSinglePage(ctx: Context, suite: SuiteFor, problem: Problem | null): Promise<Reply> {
  const [head, { pages }, runs, notices] = await Promise.all([
    suiteHead(ctx, suite, { tab: 'pages' }),
    listPages(ctx, suite, { limit: PAGES_SHOWN, after: null }),
    listNewestRuns(ctx, [suite], RUNS_SHOWN),
    captureNotices(ctx, suite),
  ]);
  const shares = await readStability(
    ctx.db,
    suite,
    pages.map((page) => page.path),
  );
  const newest = runs.get(suite.id)?.runs ?? [];
  const row = await listRunRows(ctx, newest);
  const runnable = pages.filter(isRunnable).length;
  const model = {
    head,
    can: listPermissions(suite.access),
    problem,
    notices,
    description: suite.description,
    rows: listPageRows(pages, shares, 'list').rows,
    ticks: false,
    run: runForm(suite, runnable, problem, ctx.clock.now()),
    runs: newest.map((run) => row(run)),
  };
  return { kind: 'page', view: 'single-pages/show', title: suite.name, model, section: LISTS[suite.kind].section };
}

/** What the screenshots of a suite leave out, and the settings that would include it. */
export async function captureNotices(ctx: Context, suite: SuiteFor) {
  const { late, workers } = await readCaptureNotices(ctx, suite);
  return {
    settings: listPermissions(suite.access).edit ? `/suites/${suite.id}/settings#capture` : null,
    late:
      late === null
        ? null
        : { ...late, isOne: late.pages === 1, limit: formatSeconds(suite.config.settle.timeout / 1000) },
    workers: workers === null ? null : { ...workers, isOne: workers.pages === 1 },
  };
}
