import { z } from 'zod';
import { readVersion } from '../../baselines/read-baselines.ts';
import { notFound } from '../../errors.ts';
import { restoreVersion } from '../../review/approval/promote-through-api.ts';
import { readPage } from '../../runs/page-results/read-pages.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { ApprovalNote, Id } from '../form-values.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { PageParams, pagePath } from './page-path.ts';
import { showPage } from './show-page.ts';

const Form = z.object({
  baselineVersionId: Id,
  note: ApprovalNote,
});

/** Adds a new version with the screenshot of an old one. */
export const postRestore = formRoute(
  {
    path: '/suites/:id/pages/:pageId/restore',
    params: PageParams,
    form: Form,
    redisplay: async (ctx, { viewer, params }, problem) => showPage(ctx, viewer, params, { page: 1 }, problem),
  },
  async (ctx, { viewer, params, form: { baselineVersionId, note } }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.approve');
    const page = await readPage(ctx, suite, params.pageId);
    const old = await readVersion(ctx, suite, baselineVersionId);
    if (old.path !== page.path) throw notFound('Baseline version');
    const { currentVersion } = await restoreVersion(ctx, old, note);
    const notice = `Restored version ${old.version} at ${old.viewport} as version ${currentVersion}`;
    return redirect(pagePath(page), notice);
  },
);
