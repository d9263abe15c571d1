import { pageRoute } from '../route.ts';
import { ListQuery, suiteList } from '../suites/list.ts';

export const getBuckets = pageRoute({ path: '/buckets', query: ListQuery }, async (ctx, { viewer, query }) => {
  const model = await suiteList(ctx, viewer, { kind: 'MANUAL', scope: query.scope, path: '/buckets' });
  return { kind: 'page', view: 'buckets/list', title: 'Single pages', model, section: 'buckets' };
});
