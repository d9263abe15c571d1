import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import type { SitePage } from '../../pages/site-page.ts';
import { withQuery } from '../pager.ts';

export const PageParams = z.object({ id: Id, pageId: Id });

type PageKey = Pick<SitePage, 'id' | 'testSuiteId'>;

export function pagePath({ id, testSuiteId }: PageKey): string {
  return `/suites/${testSuiteId}/pages/${id}`;
}

export function comparePath(page: PageKey, query: Record<string, string | null>): string {
  return withQuery(`${pagePath(page)}/compare`, query);
}
