import type { PageState } from '../../pages/page-state.ts';
import { CHANGED_SQL } from './result-sql.ts';

const is = (state: PageState) => `'${state}'`;

/** What the results of a page at all viewports come to, of the table `page_results`, as its badge says in `web/badge.ts`. */
export const PAGE_STATE_SQL = `case
  when bool_or(page_results.status = 'ERROR') then ${is('error')}
  when bool_or(${CHANGED_SQL} and not page_results.approved) then ${is('changed')}
  when bool_or(page_results.status = 'FAIL' and page_results.approved) then ${is('approved')}
  when bool_or(page_results.status = 'FAIL') then ${is('uncounted')}
  when bool_or(page_results.status in ('PENDING', 'CANCELLED')) then ${is('cancelled')}
  when bool_and(page_results.is_new) then ${is('new')}
  else ${is('unchanged')} end`;
