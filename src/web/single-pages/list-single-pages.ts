import { pageRoute } from '../web-route.ts';
import { ListQuery, suiteList } from '../suites/list-suites-page.ts';

export const getSinglePages = pageRoute({ path: '/single-pages', query: ListQuery }, async (ctx, { viewer, query }) => {
  const model = await suiteList(ctx, viewer, { ...query, kind: 'MANUAL', path: '/single-pages' });
  return { kind: 'page', view: 'single-pages/list', title: 'Single pages', model, section: 'single-pages' };
});
