import type { Authorized } from '../access/authorized.ts';
import type { Permission, ViewerAccess } from '../access/role.ts';
import type { UserSummary } from '../auth/user.ts';
import type { Row } from '../db/row.ts';
import type { ConfigFileState } from './config-file/locked-settings.ts';
import { effectiveConfig, type SuiteConfig, type SuiteConfigInput } from './config/suite-config.ts';

export const SUITE_KINDS = ['SUITE', 'MANUAL'] as const;
/** SUITE is crawled; MANUAL is a single page, which is not crawled. */
export type SuiteKind = (typeof SUITE_KINDS)[number];

export const CRAWL_STATUSES = ['IDLE', 'QUEUED', 'CRAWLING', 'COMPLETED', 'FAILED'] as const;
type CrawlStatus = (typeof CRAWL_STATUSES)[number];

export type CrawlStats = { pagesFound: number; pagesAdded: number; pagesRemoved: number };

export type CrawlState = {
  status: CrawlStatus;
  lastCrawledAt: Date | null;
  lastStats: CrawlStats | null;
  error: string | null;
};

export type CodeHostLink = { owner: string; repo: string; installationId: number; checkContext?: string };

export type Suite = {
  id: string;
  name: string;
  /** As the user gave it. */
  baseUrl: string;
  /** The origin of `baseUrl`, normalized: every page of the suite is on it. */
  origin: string;
  description: string | null;
  kind: SuiteKind;
  /** Defaults merged in; storage keeps what the user set. */
  config: SuiteConfig;
  /** The repository's file that sets some of it. */
  configFile: ConfigFileState | null;
  userId: string;
  isActive: boolean;
  codehost: CodeHostLink | null;
  /** The code host's unique number of the linked repository. Null: not known yet. */
  repositoryId: number | null;
  crawl: CrawlState;
  createdAt: Date;
  updatedAt: Date;
};

/** A suite as one viewer sees it, including that viewer's access. */
export type SuiteForViewer = Suite & {
  owner: UserSummary | null;
  access: ViewerAccess;
  shareCount: number;
  /** Whether the viewer follows it. */
  isFollowed: boolean;
};

/** A suite that the viewer may use, see `getSuiteFor`. */
export type SuiteFor<P extends Permission = Permission> = SuiteForViewer & Authorized<P>;

declare module '../db/json.ts' {
  interface JsonColumns {
    'test_suites.config': SuiteConfigInput;
    'test_suites.crawl_stats': CrawlStats;
  }
}

export type SuiteRow = Omit<
  Row<'test_suites'>,
  'crawlQueuedAt' | 'crawlProgress' | 'crawlTracked' | 'lastRunNumber' | 'differentServers' | 'proofRecord'
>;

function readCodeHostLink(row: SuiteRow): CodeHostLink | null {
  const { codehostOwner: owner, codehostRepo: repo, codehostInstallationId: installationId } = row;
  if (owner === null || repo === null || installationId === null) return null;
  const link = { owner, repo, installationId };
  return row.codehostCheckContext === null ? link : { ...link, checkContext: row.codehostCheckContext };
}

export function suiteFromRow(row: SuiteRow): Suite {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.baseUrl,
    origin: row.origin,
    description: row.description,
    kind: row.kind,
    config: effectiveConfig(row.config),
    configFile: row.configFile,
    userId: row.userId,
    isActive: row.isActive,
    codehost: readCodeHostLink(row),
    repositoryId: row.codehostRepositoryId,
    crawl: {
      status: row.crawlStatus,
      lastCrawledAt: row.lastCrawledAt,
      lastStats: row.crawlStats,
      error: row.crawlError,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** A suite or single page that a search found. */
export type FoundSuite = { id: string; name: string; baseUrl: string; kind: SuiteKind };

/** A suite whose last crawl failed, and when. */
export type FailedCrawl = { id: string; name: string; error: string | null; at: Date };

/** As the code host writes it; may contain upper case. */
export type RepositoryName = { owner: string; repo: string };

/** A repository in lower case: names of repositories are compared without regard to case. */
export type RepositoryKey = { owner: string; repo: string };

export function toRepositoryKey({ owner, repo }: RepositoryName): RepositoryKey {
  return { owner: owner.toLowerCase(), repo: repo.toLowerCase() };
}
