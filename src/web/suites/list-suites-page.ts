import { z } from 'zod';
import type { SuiteScope } from '../../access/role.ts';
import { SUITE_SCOPES } from '../../access/role.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { listNewestRuns } from '../../runs/list-runs.ts';
import { readCovers } from '../../runs/results/read-shots.ts';
import { listSuitesByName } from '../../suites/list-suites.ts';
import type { SuiteKind } from '../../suites/suite.ts';
import type { Pager } from '../pager.ts';
import { buildPager, withQuery } from '../pager.ts';
import { pageRoute } from '../web-route.ts';
import type { ListedSuite } from './suite-row.ts';
import { suiteRow } from './suite-row.ts';
import { typedNumber } from '../../text/typed-number.ts';

const SCOPE_NAMES: Record<SuiteScope, string> = { ALL: 'All', OWNED: 'Yours', SHARED: 'Shared with you' };

/** An unknown scope in the URL shows all suites. */
export const ListQuery = z.object({
  scope: z.enum(SUITE_SCOPES).catch('ALL'),
  page: typedNumber(1, 100_000).catch(1),
});

const SUITES_AT_ONCE = 30;

export type SuiteListModel = {
  suites: ListedSuite[];
  scopes: { label: string; href: string; current: boolean }[];
  isAll: boolean;
  /** The page is after the last one. `first`: the URL of the first. */
  isBeyond: boolean;
  first: string;
  pager: Pager | null;
};

/** Sorted by name, because the dashboard already shows the latest activity. */
export async function suiteList(
  ctx: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  { kind, path, scope, page }: { kind: SuiteKind; path: string } & z.output<typeof ListQuery>,
): Promise<SuiteListModel> {
  const part = { limit: SUITES_AT_ONCE, offset: (page - 1) * SUITES_AT_ONCE };
  const { suites, total } = await listSuitesByName(ctx, viewer, { kind, scope }, part);
  const [runs, covers] = await Promise.all([
    listNewestRuns(ctx, suites, 1, { cancelled: false }),
    readCovers(ctx, suites),
  ]);
  const now = ctx.clock.now();
  const chosen = { scope: scope === 'ALL' ? null : scope };
  return {
    suites: suites.map((suite) => suiteRow(suite, { runs: runs.get(suite.id), cover: covers.get(suite.id) }, now)),
    scopes: SUITE_SCOPES.map((value) => ({
      label: SCOPE_NAMES[value],
      href: withQuery(path, { scope: value === 'ALL' ? null : value }),
      current: value === scope,
    })),
    isAll: scope === 'ALL',
    isBeyond: total > 0 && suites.length === 0,
    first: withQuery(path, chosen),
    pager: buildPager({ total, page, size: SUITES_AT_ONCE }, path, chosen),
  };
}

export const getSuites = pageRoute({ path: '/suites', query: ListQuery }, async (ctx, { viewer, query }) => {
  const model = await suiteList(ctx, viewer, { ...query, kind: 'SUITE', path: '/suites' });
  return { kind: 'page', view: 'suites/list', title: 'Suites', model, section: 'suites' };
});
