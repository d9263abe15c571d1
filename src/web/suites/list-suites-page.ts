import { z } from 'zod';
import { SUITE_SCOPES, type SuiteScope } from '../../access/role.ts';
import { knownName } from '../../auth/user.ts';
import { listNewestRuns, type SuiteRuns } from '../../runs/list/list-runs.ts';
import { readCovers } from '../../runs/results/list-results.ts';
import type { RunSummary } from '../../runs/run.ts';
import { listSuitesByName } from '../../suites/read-suite.ts';
import type { SuiteForViewer, SuiteKind } from '../../suites/suite.ts';
import { formatAge } from '../../text/format.ts';
import { CRAWL_BADGES, runBadge } from '../badge.ts';
import { thumbnail } from '../comparison/read-image.ts';
import { PageNumber } from '../form-field.ts';
import { roleLabel } from '../permissions.ts';
import { backToLast, buildPager, pagePart, pageRoute, withQuery } from '../web-route.ts';
import { LISTS } from './suite-head.ts';

function latestRunModel(run: RunSummary | undefined, now: Date) {
  if (run === undefined) return null;
  const { id, createdAt: at } = run;
  return { href: `/runs/${id}`, badge: runBadge(run), at, age: formatAge(at, now) };
}

/** @param cover the file of its representative screenshot */
function suiteRow(
  suite: SuiteForViewer,
  { runs, cover }: { runs: SuiteRuns | undefined; cover: string | undefined },
  now: Date,
) {
  const { access, owner, kind, crawl } = suite;
  return {
    ...suite,
    href: `/suites/${suite.id}`,
    owner: access.isOwner ? null : knownName(owner),
    role: roleLabel(access),
    runs: runs?.count ?? 0,
    crawl: kind === 'MANUAL' || crawl.status === 'COMPLETED' ? null : CRAWL_BADGES[crawl.status],
    shot: cover === undefined ? null : thumbnail(cover),
    latest: latestRunModel(runs?.runs[0], now),
  };
}

const SCOPE_NAMES: Record<SuiteScope, string> = { ALL: 'All', OWNED: 'Yours', SHARED: 'Shared with you' };

/** An unknown scope in the URL shows all suites. */
const ListQuery = z.object({ scope: z.enum(SUITE_SCOPES).catch('ALL'), page: PageNumber });

const SUITES_AT_ONCE = 30;

/** The texts of the page for each kind. `none`: if there is nothing yet. */
const WORDS = {
  SUITE: {
    name: 'suites',
    add: 'New suite',
    none: 'A suite is a website to test. Enter its URL, and Pixelgate crawls it to find its pages.',
  },
  MANUAL: {
    name: 'single pages',
    add: 'Add page',
    none: 'Test a single URL without a crawl. The first run captures the baseline, and later runs show what changed.',
  },
} as const;

/** Sorted by name, because the dashboard already shows the latest activity. */
const listOf = (kind: SuiteKind) =>
  pageRoute({ path: LISTS[kind].href, query: ListQuery }, async (ctx, { viewer, query: { scope, page } }) => {
    const { label: title, href: path, section } = LISTS[kind];
    const shown = { page, size: SUITES_AT_ONCE, path, query: { scope: scope === 'ALL' ? null : scope } };
    const { suites, total } = await listSuitesByName(ctx, viewer, { kind, scope }, pagePart(shown));
    const back = backToLast(shown, total);
    if (back !== null) return back;
    const [runs, covers] = await Promise.all([
      listNewestRuns(ctx, suites, 1, { cancelled: false }),
      readCovers(ctx, suites),
    ]);
    const now = ctx.clock.now();
    const model = {
      ...WORDS[kind],
      title,
      path,
      suites: suites.map((suite) => suiteRow(suite, { runs: runs.get(suite.id), cover: covers.get(suite.id) }, now)),
      scopes: SUITE_SCOPES.map((value) => ({
        label: SCOPE_NAMES[value],
        href: withQuery(path, { scope: value === 'ALL' ? null : value }),
        current: value === scope,
      })),
      isAll: scope === 'ALL',
      pager: buildPager(shown, total),
    };
    return { kind: 'page', view: 'suites/list', title, model, section };
  });

export const getSuites = listOf('SUITE');
export const getSinglePages = listOf('MANUAL');
