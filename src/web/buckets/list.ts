import { page } from '../row.ts';
import { ListQuery, suiteList } from '../suites/list.ts';

export const getBuckets = page({ path: '/buckets', query: ListQuery }, async (ctx, { viewer, query }) => {
  const model = await suiteList(ctx, viewer, { kind: 'MANUAL', scope: query.scope, path: '/buckets' });
  return { kind: 'page', view: 'buckets/list', title: 'Single pages', model, section: 'buckets' };
});
