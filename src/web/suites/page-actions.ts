import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { actOnPages } from '../../pages/act-on-pages.ts';
import { addPage } from '../../pages/add-page.ts';
import { SITE_PAGE_ACTIONS, type SitePageAction } from '../../pages/site-page.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { SuiteAddress } from '../../suites/suite-input.ts';
import { formatCount } from '../../text/format.ts';
import { checked, Id, many, SuiteParams } from '../form-values.ts';
import { withQuery } from '../pager.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { PageListQuery, toPageFilter, toQuery } from './page-list.ts';
import { showSuite } from './show.ts';

/** `all`: every page that matches the filter in the URL, ticked or not. */
const Form = z.object({ action: z.enum(SITE_PAGE_ACTIONS), page: many.pipe(z.array(Id)), all: checked });

const DONE: Record<SitePageAction, string> = {
  track: 'tracked',
  untrack: 'untracked',
  acknowledge: 'acknowledged',
  delete: 'deleted',
};

function describeAction(done: SitePageAction, affected: number): string {
  if (affected === 0) return 'No pages changed';
  return `${formatCount(affected, 'page')} ${DONE[done]}`;
}

export const postPages = formRoute(
  { path: '/suites/:id/pages', params: SuiteParams, query: PageListQuery, form: Form, redisplay: showSuite },
  async (ctx, { viewer, params, query, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.edit');
    if (!form.all && form.page.length === 0) throw invalid('Select at least one page');
    const on = form.all ? toPageFilter(query) : form.page;
    const affected = await actOnPages(ctx, suite, { action: form.action, on });
    return redirect(withQuery(`/suites/${suite.id}`, toQuery(query)), describeAction(form.action, affected));
  },
);

const AddForm = z.object({ address: SuiteAddress.min(1, 'must not be empty') });

/** Anything that starts with a slash is a path. */
export const postAddPage = formRoute(
  { path: '/suites/:id/add-page', params: SuiteParams, form: AddForm, redisplay: showSuite },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.edit');
    const { address } = form;
    const page = await addPage(ctx, suite, address.startsWith('/') ? { path: address } : { url: address });
    return redirect(`/suites/${suite.id}`, `Added and tracked ${page.path}`);
  },
);
