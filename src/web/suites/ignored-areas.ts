import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { IgnoreRule } from '../../suites/add-ignore-rule.ts';
import { addIgnoreRule } from '../../suites/add-ignore-rule.ts';
import { lockedSettings } from '../../suites/config-file/locked-settings.ts';
import { globsForPage } from '../../suites/page-globs.ts';
import { PageRule } from '../../suites/page-rule.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { formatBox } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { SuiteParams } from './params.ts';

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
  return isDeepStrictEqual(paths, globsForPage(first)) ? first : paths.join(', ');
}

function areaRow(area: IgnoreRule, action: string | null) {
  const { paths, viewports, ignore: [selector] = [], ignoreBoxes: [box] = [] } = area;
  return {
    selector,
    box: box && formatBox(box),
    pages: namePages(paths),
    viewports: viewports?.join(', ') ?? 'all viewports',
    remove: action !== null && {
      label: 'Remove',
      small: true,
      question: 'Stop ignoring this? Runs awaiting review are re-evaluated.',
      button: 'Remove',
      action,
      fields: [{ name: 'area', value: JSON.stringify(area) }],
    },
  };
}

/** The elements and boxes that the suite's rules ignore, which editors may remove unless the repository's file sets them. */
export function ignoredAreas(suite: SuiteForViewer) {
  const { configFile: file } = suite;
  const setBy = file === null ? undefined : lockedSettings(file).find(({ path }) => path === 'rules');
  const mayRemove = setBy === undefined && listPermissions(suite.access).edit;
  const action = mayRemove ? `/suites/${suite.id}/ignored-areas/remove` : null;
  return { rows: listIgnored(suite.config.rules).map((area) => areaRow(area, action)), setBy };
}

/** One element or one box, in the form of {@link ignoredAreas}. */
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
  { path: '/suites/:id/ignored-areas/remove', params: SuiteParams, form: z.object({ area: Area }) },
  async (ctx, { viewer, params, form: { area } }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.edit');
    await addIgnoreRule(ctx, suite, area, { undo: true });
    return redirect(`/suites/${suite.id}/ignored-changes`, 'This area is no longer ignored');
  },
);
