import { z } from 'zod';
import type { SitePage } from '../../pages/site-page.ts';
import { Id } from '../form-values.ts';
import { withQuery } from '../pager.ts';

export const PageParams = z.object({ id: Id, pageId: Id });

type PageKey = Pick<SitePage, 'id' | 'testSuiteId'>;

export function pagePath({ id, testSuiteId }: PageKey): string {
  return `/suites/${testSuiteId}/pages/${id}`;
}

export function comparePath(page: PageKey, query: Record<string, string | null>): string {
  return withQuery(`${pagePath(page)}/compare`, query);
}
