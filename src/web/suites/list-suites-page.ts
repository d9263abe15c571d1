import { z } from 'zod';
import type { SuiteScope } from '../../access/role.ts';
import { SUITE_SCOPES } from '../../access/role.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { listNewestRuns } from '../../runs/list-runs.ts';
import { listSuites } from '../../suites/list-suites.ts';
import type { SuiteKind } from '../../suites/suite.ts';
import { withQuery } from '../pager.ts';
import { pageRoute } from '../web-route.ts';
import type { ListedSuite } from './suite-row.ts';
import { suiteRow } from './suite-row.ts';

const SCOPE_NAMES: Record<SuiteScope, string> = { ALL: 'All', OWNED: 'Yours', SHARED: 'Shared with you' };

/** An unknown scope in the URL shows all suites. */
export const ListQuery = z.object({ scope: z.enum(SUITE_SCOPES).catch('ALL') });

export type SuiteListModel = {
  suites: ListedSuite[];
  scopes: { label: string; href: string; current: boolean }[];
  isAll: boolean;
};

/** Sorted by name, because the dashboard already shows the latest activity. */
export async function suiteList(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  { kind, scope, path }: { kind: SuiteKind; scope: SuiteScope; path: string },
): Promise<SuiteListModel> {
  const suites = (await listSuites(ctx, viewer, { kind, scope })).toSorted((a, b) => a.name.localeCompare(b.name));
  const runs = await listNewestRuns(ctx, suites, 1);
  return {
    suites: suites.map((suite) => suiteRow(suite, runs.get(suite.id))),
    scopes: SUITE_SCOPES.map((value) => ({
      label: SCOPE_NAMES[value],
      href: withQuery(path, { scope: value === 'ALL' ? null : value }),
      current: value === scope,
    })),
    isAll: scope === 'ALL',
  };
}

export const getSuites = pageRoute({ path: '/suites', query: ListQuery }, async (ctx, { viewer, query }) => {
  const model = await suiteList(ctx, viewer, { kind: 'SUITE', scope: query.scope, path: '/suites' });
  return { kind: 'page', view: 'suites/list', title: 'Suites', model, section: 'suites' };
});
