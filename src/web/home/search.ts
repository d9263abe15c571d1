import { z } from 'zod';
import { searchEverything, type FoundEverywhere } from '../../pull-requests/search-everything.ts';
import type { RunWithSuite } from '../../runs/list/run-list.ts';
import { describeSubject, nameRun } from '../../runs/run-name.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/search/run-search.ts';
import { formatCount } from '../../text/format.ts';
import { readablePath } from '../../text/readable-path.ts';
import { runBadge, type Badge } from '../badge.ts';
import { buildField, queryText } from '../form-field.ts';
import type { IconName } from '../icons.ts';
import { runIcon } from '../run-row.ts';
import { pageRoute } from '../web-route.ts';

const Query = z.object({ q: queryText(SEARCH_MAX_LENGTH).transform((text) => text ?? '') });

type Hit = { href: string; icon: IconName; title: string; detail: string; badge: Badge | null };

const runHit = (run: RunWithSuite, title: string): Hit => ({
  href: `/runs/${run.id}`,
  icon: runIcon(run),
  title,
  detail: run.testSuite.name,
  badge: runBadge(run),
});

/** Its next step is the suite's first check, where it can be checked now. */
const pullRequestHit = ({ name, testSuiteId, suiteName }: FoundEverywhere['withoutRun'][number]): Hit => ({
  href: `/suites/${testSuiteId}/first-check`,
  icon: 'git-pull-request',
  title: name,
  detail: `${suiteName} · no run yet`,
  badge: null,
});

function groupHits({ suites, pages, pullRequests, withoutRun, runs }: FoundEverywhere) {
  const groups: { id: string; title: string; hits: Hit[] }[] = [
    {
      id: 'suites',
      title: 'Suites and single pages',
      hits: suites.map(({ id, name, baseUrl, kind }) => ({
        href: `/suites/${id}`,
        icon: kind === 'MANUAL' ? 'file' : 'stack',
        title: name,
        detail: baseUrl,
        badge: null,
      })),
    },
    {
      id: 'pages',
      title: 'Pages',
      hits: pages.map(({ id, testSuiteId, path, title, suiteName }) => ({
        href: `/suites/${testSuiteId}/pages/${id}`,
        icon: 'file',
        title: readablePath(path),
        detail: title === null ? suiteName : `${title} · ${suiteName}`,
        badge: null,
      })),
    },
    {
      id: 'pull-requests',
      title: 'Pull requests',
      hits: [...pullRequests.map((run) => runHit(run, describeSubject(run).what)), ...withoutRun.map(pullRequestHit)],
    },
    { id: 'runs', title: 'Runs', hits: runs.map((run) => runHit(run, nameRun(run))) },
  ];
  return groups
    .filter(({ hits }) => hits.length > 0)
    .map((group) => ({ ...group, hits: group.hits.map((hit, at) => ({ ...hit, id: `hit-${group.id}-${at}` })) }));
}

/** What is found, as a page; for htmx as the options of the dialog in the layout. */
export const getSearch = pageRoute({ path: '/search', query: Query }, async (ctx, { viewer, query, htmx }) => {
  const { q } = query;
  const groups = groupHits(await searchEverything(ctx, viewer, q));
  const total = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const model = { groups, status: q === '' ? '' : formatCount(total, 'result'), isEmpty: q !== '' && total === 0, q };
  if (htmx) return { kind: 'fragment', view: 'search/options', model };
  const attributes = { maxlength: SEARCH_MAX_LENGTH, placeholder: 'Suite, page, #128, pull request' };
  const field = buildField({ name: 'q', label: 'Search', type: 'search', value: q, required: true, attributes }, null);
  const title = q === '' ? 'Search' : `Search: ${q}`;
  return { kind: 'page', view: 'search/page', title, model: { ...model, field } };
});
