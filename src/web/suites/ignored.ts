import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { knownName } from '../../auth/user.ts';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import { ownPath } from '../../http/own-path.ts';
import { listIgnoredChanges, revokeIgnoredChange } from '../../runs/judging/ignore-change.ts';
import type { IgnoredChange } from '../../runs/judging/ignored-change.ts';
import { lockedSettings } from '../../suites/config-file/config-file.ts';
import { globsForPage, PageRule } from '../../suites/config/page-rule.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { addIgnoreRule, type IgnoreRule } from '../../suites/update-suite.ts';
import { formatBox } from '../../text/format.ts';
import { readablePath } from '../../text/readable-path.ts';
import { thumbnail } from '../comparison/read-image.ts';
import { asking, PageQuery } from '../form-field.ts';
import { listPermissions } from '../permissions.ts';
import { backToLast, buildPager, formRoute, pagePart, pageRoute, redirect } from '../web-route.ts';
import { atSettings, suitePage } from './suite-head.ts';

/** What the rules ignore: each element and box once for the same pages and viewports. */
function listIgnored(rules: readonly PageRule[]): IgnoreRule[] {
  const all = rules.flatMap(({ paths, viewports, ignore = [], ignoreBoxes = [] }) => {
    const scope = viewports === undefined ? { paths } : { paths, viewports };
    return [
      ...ignore.map((selector): IgnoreRule => ({ ...scope, ignore: [selector] })),
      ...ignoreBoxes.map((box): IgnoreRule => ({ ...scope, ignoreBoxes: [box] })),
    ];
  });
  return [...new Map(all.map((area) => [JSON.stringify(area), area])).values()];
}

function namePages(paths: string[]): string {
  const [first = ''] = paths;
  if (isDeepStrictEqual(paths, ['**'])) return 'all pages';
  return isDeepStrictEqual(paths, globsForPage(first)) ? readablePath(first) : paths.join(', ');
}

function areaRow(area: IgnoreRule, action: string | null) {
  const { paths, viewports, ignore: [selector] = [], ignoreBoxes: [box] = [] } = area;
  return {
    selector,
    box: box && formatBox(box),
    pages: namePages(paths),
    viewports: viewports?.join(', ') ?? 'all viewports',
    remove:
      action !== null &&
      asking('Remove', 'Stop ignoring this? Runs awaiting review are re-evaluated.', action, {
        small: true,
        fields: [{ name: 'area', value: JSON.stringify(area) }],
      }),
  };
}

/** The elements and boxes that the suite's rules ignore, which editors may remove unless the repository's file sets them. */
function listIgnoredAreas(suite: SuiteForViewer) {
  const { configFile: file } = suite;
  const setBy = file === null ? undefined : lockedSettings(file).find(({ path }) => path === 'rules');
  const mayRemove = setBy === undefined && listPermissions(suite.access).edit;
  const action = mayRemove ? `/suites/${suite.id}/ignored-areas/remove` : null;
  return { rows: listIgnored(suite.config.rules).map((area) => areaRow(area, action)), setBy };
}

/** One element or one box, in the form of {@link listIgnoredAreas}. */
const Area = z
  .string()
  .max(64 * 1024)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('must be an ignored area');
      return z.NEVER;
    }
  })
  .pipe(PageRule.pick({ paths: true, viewports: true, ignore: true, ignoreBoxes: true }));

export const postRemoveIgnoredArea = formRoute(
  { path: '/suites/:id/ignored-areas/remove', ...onSuite('suite.edit'), form: z.object({ area: Area }) },
  async (ctx, { suite, form: { area } }) => {
    await addIgnoreRule(ctx, suite, area, { undo: true });
    return redirect(`/suites/${suite.id}/ignored-changes`, 'This area is no longer ignored');
  },
);

/** Areas and changes, in one list. */
const AT_ONCE = 25;

function ignoredRow(change: IgnoredChange, path: string, now: Date) {
  const { expiresAt, author } = change;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    ...change,
    before: thumbnail(change.baselineFile, 'small'),
    after: thumbnail(change.currentFile, 'small'),
    by: knownName(author),
    isExpired,
    revoke: asking(
      isExpired ? 'Remove' : 'Revoke',
      isExpired
        ? 'Remove this from the list?'
        : 'Revoke this? The same change will need approval again. Runs awaiting review are re-evaluated.',
      `${path}/${change.id}/revoke`,
      { small: true },
    ),
  };
}

/** One list: the areas that rules ignore, then the changes that reviewers ignored, newest first. */
export const getIgnoredChanges = pageRoute(
  { path: '/suites/:id/ignored-changes', ...onSuite('suite.read'), query: PageQuery },
  async (ctx, { suite, query }) => {
    const path = `/suites/${suite.id}/ignored-changes`;
    const { rows, setBy } = listIgnoredAreas(suite);
    const shown = { page: query.page, size: AT_ONCE, path };
    const { offset: start } = pagePart(shown);
    const areas = rows.slice(start, start + AT_ONCE);
    const part = { limit: AT_ONCE - areas.length, offset: Math.max(0, start - rows.length) };
    const { items, total } = await listIgnoredChanges(ctx, suite, part);
    const all = rows.length + total;
    const back = backToLast(shown, all);
    if (back !== null) return back;
    const now = ctx.clock.now();
    const model = {
      areas,
      setBy,
      showsAreas: areas.length > 0 || query.page === 1,
      showsChanges: items.length > 0 || total === 0,
      changes: items.map((change) => ignoredRow(change, path, now)),
      pager: buildPager(shown, all),
    };
    const at = atSettings(suite, 'compare');
    return suitePage(ctx, suite, at, { view: 'suites/ignored-changes', title: 'Ignored', model });
  },
);

export const postRevokeChange = formRoute(
  {
    path: '/suites/:id/ignored-changes/:ignoredChangeId/revoke',
    ...inSuite('suite.approve', { ignoredChangeId: Id }),
    form: z.object({ back: z.string().optional() }),
  },
  async (ctx, { suite, params, form: { back } }) => {
    await revokeIgnoredChange(ctx, suite, params.ignoredChangeId);
    const list = `/suites/${suite.id}/ignored-changes`;
    return redirect(back === undefined ? list : ownPath(back), 'This change is no longer ignored');
  },
);
