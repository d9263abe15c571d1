import { z } from 'zod';
import { hasAll, readRows, type Db } from '../db/database.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { FOLDER_SQL, REST_SQL, ROOT_FOLDER } from './page-folder.ts';
import { matchingSql } from './page-search-store.ts';
import {
  PAGE_STATES,
  PAGE_STATUSES,
  sumPages,
  tallyKinds,
  type FolderTally,
  type PageFilter,
  type PageOverview,
} from './site-page.ts';

/** More folders than anyone reads. The others can be found by searching. */
const FOLDERS_READ = 300;

const SUMS_SQL = `sum(pages) as pages, coalesce(sum(pages) filter (where state = 'changed'), 0) as changed,
  coalesce(sum(pages) filter (where state = 'error'), 0) as errors`;

/** Pages of one kind, or those of a folder that match. */
const Group = z.object({
  status: z.enum(PAGE_STATUSES).nullable(),
  tracked: z.boolean().nullable(),
  state: z.enum(PAGE_STATES).nullable(),
  matches: z.boolean().nullable(),
  folder: z.string().nullable(),
  pages: z.number(),
  changed: z.number(),
  errors: z.number(),
});
type Group = z.infer<typeof Group>;

function toOverview(groups: Group[]): PageOverview {
  const kinds = groups.filter((group) => hasAll(group, 'status', 'tracked', 'state', 'matches'));
  const states = { changed: 0, error: 0, new: 0, approved: 0, uncounted: 0, cancelled: 0, unchanged: 0, never: 0 };
  for (const { state, pages } of kinds) states[state] += pages;
  const folders = groups.flatMap(({ folder, pages, changed, errors }): FolderTally[] =>
    folder === null ? [] : [{ folder, pages, changed, errors }],
  );
  return {
    tally: tallyKinds(kinds),
    states,
    matched: sumPages(kinds.filter(({ matches }) => matches)),
    folders,
  };
}

/**
 * The suite's pages by state, and the matching ones by folder. All counts in one statement, which reads each page of the
 * suite once and groups equal ones before counting.
 */
export async function readPageOverview(db: Db, { id }: SuiteFor, filter: PageFilter): Promise<PageOverview> {
  const base = filter.folder ?? ROOT_FOLDER;
  const [condition, bindings] = matchingSql(filter, 'page_states.state');
  const groups = await readRows(
    db,
    Group,
    `with page as (
       select site_pages.status, site_pages.tracked,
              coalesce(page_states.state, 'never') as state, (${condition}) is true as matches, ${REST_SQL} as rest
       from site_pages
       left join page_states on page_states.test_suite_id = site_pages.test_suite_id and page_states.path = site_pages.path
       where site_pages.test_suite_id = ?
       offset 0
     ), alike as materialized (
       select status, tracked, state, matches, ${FOLDER_SQL} as folder, count(*) as pages
       from page group by 1, 2, 3, 4, 5
     )
     select status, tracked, state, matches, null as folder, ${SUMS_SQL} from alike group by 1, 2, 3, 4
     union all
     (select null, null, null, null, folder, ${SUMS_SQL} from alike where matches group by folder order by folder limit ?)`,
    [...bindings, base, id, base, FOLDERS_READ],
  );
  return toOverview(groups);
}
