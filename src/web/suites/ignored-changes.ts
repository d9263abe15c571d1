import { z } from 'zod';
import { thumbnailUrl } from '../../http/image-url.ts';
import { ownPath } from '../../http/own-path.ts';
import type { IgnoredChange } from '../../runs/judging/ignored-change.ts';
import { listSomeIgnoredChanges, revokeIgnoredChange } from '../../runs/judging/ignore-change.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { formatCount } from '../../text/format.ts';
import { Id } from '../form-values.ts';
import { buildPager, withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import { redirect } from '../reply.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { ignoredAreas } from './ignored-areas.ts';
import { SuiteParams } from './params.ts';
import { settingsNav } from './settings-tabs.ts';
import { chooseSection, suiteHead } from './suite-head.ts';
import { typedNumber } from '../../text/typed-number.ts';

const CHANGES_AT_ONCE = 25;

/** px. Twice the width at which it is shown, for dense screens. */
const THUMBNAIL_WIDTH = 192;

const Query = z.object({ page: typedNumber(1, 1_000_000).catch(1) });

const thumbnail = (name: string) => thumbnailUrl({ publicUrl: '' }, name, THUMBNAIL_WIDTH);

function ignoredRow(change: IgnoredChange, path: string, now: Date) {
  const { expiresAt } = change;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    path: change.path,
    viewport: change.viewport,
    before: thumbnail(change.baselineFile),
    after: thumbnail(change.currentFile),
    by: change.authorName ?? change.authorEmail,
    at: change.createdAt,
    expiresAt,
    isExpired,
    note: change.note,
    uses: formatCount(change.uses, 'time'),
    lastUsedAt: change.lastUsedAt,
    revoke: {
      label: isExpired ? 'Remove' : 'Revoke',
      small: true,
      question: isExpired
        ? 'Remove this from the list?'
        : 'Revoke this? The same change will need approval again. Runs awaiting review are re-evaluated.',
      button: isExpired ? 'Remove' : 'Revoke',
      action: `${path}/${change.id}/revoke`,
      fields: [],
    },
  };
}

/** The areas that rules ignore, then the changes that reviewers ignored, newest first. */
export const getIgnoredChanges = pageRoute(
  { path: '/suites/:id/ignored-changes', params: SuiteParams, query: Query },
  async (ctx, { viewer, params, query }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const path = `/suites/${suite.id}/ignored-changes`;
    const part = { limit: CHANGES_AT_ONCE, offset: (query.page - 1) * CHANGES_AT_ONCE };
    const [head, { changes, total }] = await Promise.all([
      suiteHead(ctx, suite, { tab: 'settings', settings: settingsNav(suite, 'compare') }),
      listSomeIgnoredChanges(ctx, suite, part),
    ]);
    const last = Math.max(1, Math.ceil(total / CHANGES_AT_ONCE));
    if (query.page > last) return redirect(withQuery(path, { page: last }));
    const now = ctx.clock.now();
    const model = {
      head,
      can: listPermissions(suite.access),
      // On the first page, because they are few compared with the changes.
      areas: query.page === 1 ? ignoredAreas(suite) : null,
      changes: changes.map((change) => ignoredRow(change, path, now)),
      pager: buildPager({ total, page: query.page, size: CHANGES_AT_ONCE }, path, {}),
    };
    const title = `What is ignored in ${suite.name}`;
    return { kind: 'page', view: 'suites/ignored-changes', title, model, section: chooseSection(suite) };
  },
);

export const postRevokeChange = formRoute(
  {
    path: '/suites/:id/ignored-changes/:ignoredChangeId/revoke',
    params: z.object({ id: Id, ignoredChangeId: Id }),
    form: z.object({ back: z.string().optional() }),
  },
  async (ctx, { viewer, params, form: { back } }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.approve');
    await revokeIgnoredChange(ctx, suite, params.ignoredChangeId);
    const list = `/suites/${suite.id}/ignored-changes`;
    return redirect(back === undefined ? list : ownPath(back), 'This change is no longer ignored');
  },
);
