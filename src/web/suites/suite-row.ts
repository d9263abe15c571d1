import { thumbnailUrl } from '../../http/image-url.ts';
import type { RunSummary } from '../../runs/run.ts';
import type { SuiteRuns } from '../../runs/list-runs.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { formatAge } from '../../text/format.ts';
import type { Badge } from '../badge.ts';
import { CRAWL_BADGES, runBadge } from '../badge.ts';
import { roleLabel } from './role-text.ts';

/** What the partial `suite-row` prints: one suite or single page in a list. */
export type ListedSuite = {
  href: string;
  name: string;
  baseUrl: string;
  isActive: boolean;
  /** Null if the suite belongs to the viewer. */
  owner: string | null;
  role: string;
  runs: number;
  shares: number;
  /** Null after a successful crawl, and for single pages, which are never crawled. */
  crawl: Badge | null;
  /** The URL of a thumbnail of its first page. Null before the first baseline. */
  shot: string | null;
  latest: { href: string; badge: Badge; at: Date; age: string } | null;
};

function crawlBadge({ kind, crawl }: SuiteForViewer): Badge | null {
  return kind === 'MANUAL' || crawl.status === 'COMPLETED' ? null : CRAWL_BADGES[crawl.status];
}

function latestRunModel(run: RunSummary | undefined, now: Date): ListedSuite['latest'] {
  if (run === undefined) return null;
  const { id, createdAt: at } = run;
  return { href: `/runs/${id}`, badge: runBadge(run), at, age: formatAge(at, now) };
}

/** @param cover the file of its representative screenshot */
export function suiteRow(
  suite: SuiteForViewer,
  { runs, cover }: { runs: SuiteRuns | undefined; cover: string | undefined },
  now: Date,
): ListedSuite {
  const { access, owner } = suite;
  return {
    href: `/suites/${suite.id}`,
    name: suite.name,
    baseUrl: suite.baseUrl,
    isActive: suite.isActive,
    owner: access.isOwner ? null : (owner?.name ?? owner?.email ?? null),
    role: roleLabel(access),
    runs: runs?.count ?? 0,
    shares: suite.shareCount,
    crawl: crawlBadge(suite),
    shot: cover === undefined ? null : thumbnailUrl({ publicUrl: '' }, cover, 384),
    latest: latestRunModel(runs?.runs[0], now),
  };
}
