import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { FOLDER_SQL, REST_SQL, ROOT_FOLDER } from './page-folder.ts';
import { matchingSql } from './page-search-store.ts';
import {
  PAGE_STATES,
  type FolderTally,
  type PageFilter,
  type PageOverview,
  type PageState,
  type PageStateCounts,
} from './page-search.ts';
import { RUNNABLE_PAGE_SQL } from './site-page.ts';

/** More folders than anyone reads. The others can be found by searching. */
const FOLDERS_READ = 300;

const Group = z.object({
  state: z.enum(PAGE_STATES).nullable(),
  folder: z.string().nullable(),
  pages: z.number(),
  tracked: z.number(),
  runnable: z.number(),
  new: z.number(),
  active: z.number(),
  removed: z.number(),
  matched: z.number(),
  changed: z.number(),
  errors: z.number(),
});
type Group = z.infer<typeof Group>;

const TALLY = {
  pages: 'true',
  tracked: 'tracked',
  runnable: 'runnable',
  new: "status = 'NEW'",
  active: "status = 'ACTIVE'",
  removed: "status = 'REMOVED'",
  matched: 'matches',
  changed: "state = 'changed'",
  errors: "state = 'error'",
};
const TALLY_SQL = Object.entries(TALLY)
  .map(([name, condition]) => `coalesce(sum(pages) filter (where ${condition}), 0)::integer as ${name}`)
  .join(', ');

const sumOf = (groups: Group[], name: keyof typeof TALLY) => groups.reduce((total, group) => total + group[name], 0);

function toOverview(groups: Group[]): PageOverview {
  const byState = groups.filter(({ state }) => state !== null);
  const amount = (state: PageState) => byState.find((group) => group.state === state)?.pages ?? 0;
  const states: PageStateCounts = {
    changed: amount('changed'),
    error: amount('error'),
    new: amount('new'),
    approved: amount('approved'),
    uncounted: amount('uncounted'),
    cancelled: amount('cancelled'),
    unchanged: amount('unchanged'),
    never: amount('never'),
  };
  const folders = groups.flatMap(({ folder, pages, changed, errors }): FolderTally[] =>
    folder === null ? [] : [{ folder, pages, changed, errors }],
  );
  const tally = {
    total: sumOf(byState, 'pages'),
    tracked: sumOf(byState, 'tracked'),
    runnable: sumOf(byState, 'runnable'),
    new: sumOf(byState, 'new'),
    active: sumOf(byState, 'active'),
    removed: sumOf(byState, 'removed'),
  };
  return { tally, states, matched: sumOf(byState, 'matched'), folders };
}

/** All counts in one statement, which reads each page of the suite once and groups equal ones before counting. */
export async function tallyOverview(db: Db, testSuiteId: string, filter: PageFilter): Promise<PageOverview> {
  const base = filter.folder ?? ROOT_FOLDER;
  const [condition, bindings] = matchingSql(filter, 'page_states.state');
  const groups = await readRows(
    db,
    Group,
    `with page as (
       select site_pages.status, site_pages.tracked, ${RUNNABLE_PAGE_SQL} as runnable,
              coalesce(page_states.state, 'never') as state, (${condition}) is true as matches, ${REST_SQL} as rest
       from site_pages
       left join page_states on page_states.test_suite_id = site_pages.test_suite_id and page_states.path = site_pages.path
       where site_pages.test_suite_id = ?
       offset 0
     ), alike as materialized (
       select status, tracked, runnable, state, matches, ${FOLDER_SQL} as folder, count(*) as pages
       from page group by 1, 2, 3, 4, 5, 6
     )
     select state, null as folder, ${TALLY_SQL} from alike group by state
     union all
     (select null, folder, ${TALLY_SQL} from alike where matches group by folder order by folder limit ?)`,
    [...bindings, base, testSuiteId, base, FOLDERS_READ],
  );
  return toOverview(groups);
}
