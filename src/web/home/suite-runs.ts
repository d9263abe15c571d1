import { z } from 'zod';
import { AWAITING_REVIEW, listRunsOfSuite } from '../../runs/list-runs.ts';
import type { RunFilter } from '../../runs/run-list.ts';
import { IN_FLIGHT } from '../../runs/run.ts';
import { listStarters } from '../../runs/read-people.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { redirect } from '../reply.ts';
import { buildPager, withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import { pageRoute } from '../web-route.ts';
import { listRunRows } from '../run-row.ts';
import { isAnyChosen, runFilterFields, runFilterShape, toRunFilter } from './run-filter.ts';
import { SuiteParams } from '../suites/params.ts';
import { chooseSection, suiteHead } from '../suites/suite-head.ts';
import { typedNumber } from '../../text/typed-number.ts';

const RUNS_AT_ONCE = 25;

/** The filters of the list. The first one shows all runs. */
const CHOICES = [
  { value: null, label: 'All', filter: {} },
  { value: 'review', label: 'To review', filter: AWAITING_REVIEW },
  { value: 'running', label: 'Running', filter: { statuses: IN_FLIGHT } },
  { value: 'failed', label: 'Failed', filter: { statuses: ['FAILED'] } },
  { value: 'site', label: 'Site', filter: { runType: 'MANUAL' } },
  { value: 'branch', label: 'Branch previews', filter: { runType: 'BRANCH' } },
  { value: 'pr', label: 'Pull requests', filter: { runType: 'PR' } },
] as const satisfies { value: string | null; label: string; filter: RunFilter }[];

const Query = z.object({
  ...runFilterShape,
  show: z.string().nullable().catch(null),
  page: typedNumber(1, 1_000_000).catch(1),
});

/** The runs of one suite, newest first. */
export const getSuiteRuns = pageRoute(
  { path: '/suites/:id/runs', params: SuiteParams, query: Query },
  async (ctx, { viewer, params, query }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const path = `/suites/${suite.id}/runs`;
    const { show: _show, page: _page, ...asked } = query;
    const chosen = CHOICES.find(({ value }) => value === query.show) ?? CHOICES[0];
    const list = { limit: RUNS_AT_ONCE, offset: (query.page - 1) * RUNS_AT_ONCE };
    const wanted = toRunFilter(asked, viewer);
    const [head, { runs, total }, starters] = await Promise.all([
      suiteHead(ctx, suite, { tab: 'runs' }),
      listRunsOfSuite(ctx, suite, { ...wanted, ...chosen.filter }, list),
      listStarters(ctx, suite),
    ]);
    const last = Math.max(1, Math.ceil(total / RUNS_AT_ONCE));
    const filter = { ...asked, show: chosen.value };
    if (query.page > last) return redirect(withQuery(path, { ...filter, page: last }));
    const row = await listRunRows(ctx, runs);
    const model = {
      head,
      can: listPermissions(suite.access),
      choices: CHOICES.map(({ value, label }) => ({
        label,
        href: withQuery(path, { ...asked, show: value }),
        current: value === chosen.value,
      })),
      // The suite is already shown above the list, so each row starts with what started the run.
      runs: runs.map(({ testSuite: _suite, ...run }) => row(run)),
      pager: buildPager({ total, page: query.page, size: RUNS_AT_ONCE }, path, filter),
      filtered: chosen.value !== null || isAnyChosen(asked),
      show: chosen.value,
      total,
      fields: runFilterFields(
        asked,
        starters.filter(({ id }) => id !== viewer.id),
      ),
      path,
    };
    return { kind: 'page', view: 'suites/runs', title: `Runs · ${suite.name}`, model, section: chooseSection(suite) };
  },
);
