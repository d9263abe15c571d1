import type { RunSummary } from '../../runs/run.ts';
import type { SuiteRuns } from '../../runs/list-runs.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
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
  latest: { href: string; badge: Badge; at: Date } | null;
};

function crawlBadge({ kind, crawl }: SuiteForViewer): Badge | null {
  return kind === 'MANUAL' || crawl.status === 'COMPLETED' ? null : CRAWL_BADGES[crawl.status];
}

function latestRunModel(run: RunSummary | undefined): ListedSuite['latest'] {
  return run === undefined ? null : { href: `/runs/${run.id}`, badge: runBadge(run), at: run.createdAt };
}

export function suiteRow(suite: SuiteForViewer, runs: SuiteRuns | undefined): ListedSuite {
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
    latest: latestRunModel(runs?.runs[0]),
  };
}
