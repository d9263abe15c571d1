import { z } from 'zod';
import type { Authorized } from '../access/authorized.ts';
import type { Permission, ViewerAccess } from '../access/role.ts';
import type { UserSummary } from '../auth/user.ts';
import type { SelectedRow } from '../db/query.ts';
import { effectiveConfig, type SuiteConfig, type SuiteConfigInput } from './config/suite-config.ts';

export const SUITE_KINDS = ['SUITE', 'MANUAL'] as const;
/** SUITE is crawled; MANUAL is a single page, which is not crawled. */
export type SuiteKind = (typeof SUITE_KINDS)[number];

export const CRAWL_STATUSES = ['IDLE', 'QUEUED', 'CRAWLING', 'COMPLETED', 'FAILED'] as const;
type CrawlStatus = (typeof CRAWL_STATUSES)[number];

export type CrawlStats = {
  pagesFound: number;
  pagesAdded: number;
  pagesRemoved: number;
  /** What was left out or could not be read, in sentences for people. Missing: nothing. */
  warnings?: string[];
};

export type CrawlState = {
  status: CrawlStatus;
  lastCrawledAt: Date | null;
  lastStats: CrawlStats | null;
  error: string | null;
};

export type CodeHostLink = { owner: string; repo: string; installationId: number; checkContext?: string | undefined };

export const SUITE_COLUMNS = [
  'id',
  'name',
  // As the user gave it.
  'base_url',
  // The origin of `base_url`, normalized: every page of the suite is on it.
  'origin',
  'description',
  'kind',
  'config',
  // The repository's file that sets some of it.
  'config_file',
  'user_id',
  'is_active',
  'codehost_owner',
  'codehost_repo',
  'codehost_installation_id',
  'codehost_check_context',
  // The code host's unique number of the linked repository. Null: not known yet.
  'codehost_repository_id',
  'crawl_status',
  'last_crawled_at',
  'crawl_stats',
  'crawl_error',
  'created_at',
  'updated_at',
] as const;
type SuiteRow = SelectedRow<'test_suites', typeof SUITE_COLUMNS>;

export type Suite = Omit<SuiteRow, `codehost${string}` | `crawl${string}` | 'lastCrawledAt' | 'config'> & {
  /** Defaults merged in; storage keeps what the user set. */
  config: SuiteConfig;
  codehost: CodeHostLink | null;
  repositoryId: number | null;
  crawl: CrawlState;
};

/** A suite that is linked to a repository. */
export type SuiteOfRepository = Suite & { codehost: CodeHostLink };

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

type LinkRow = Pick<SuiteRow, 'codehostOwner' | 'codehostRepo' | 'codehostInstallationId' | 'codehostCheckContext'>;

function readCodeHostLink(row: LinkRow): CodeHostLink | null {
  const { codehostOwner: owner, codehostRepo: repo, codehostInstallationId: installationId } = row;
  if (owner === null || repo === null || installationId === null) return null;
  const link = { owner, repo, installationId };
  return row.codehostCheckContext === null ? link : { ...link, checkContext: row.codehostCheckContext };
}

export function suiteFromRow({
  codehostOwner,
  codehostRepo,
  codehostInstallationId,
  codehostCheckContext,
  codehostRepositoryId: repositoryId,
  crawlStatus: status,
  lastCrawledAt,
  crawlStats: lastStats,
  crawlError: error,
  ...row
}: SuiteRow): Suite {
  const link = { codehostOwner, codehostRepo, codehostInstallationId, codehostCheckContext };
  // While another crawl is under way, the row keeps the error of the last one.
  const crawl = { status, lastCrawledAt, lastStats, error: status === 'FAILED' ? error : null };
  return { ...row, config: effectiveConfig(row.config), codehost: readCodeHostLink(link), repositoryId, crawl };
}

/** A suite or single page that a search found. */
export const FoundSuite = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(SUITE_KINDS),
});
export type FoundSuite = z.output<typeof FoundSuite>;

/** A suite whose last crawl failed, and when. */
export const FailedCrawl = z.object({ id: z.string(), name: z.string(), error: z.string().nullable(), at: z.date() });
export type FailedCrawl = z.output<typeof FailedCrawl>;

/** As the code host writes it; may contain upper case. */
export type RepositoryName = { owner: string; repo: string };

/** Of `owner/repo`. */
export function readFullName(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/');
  return { owner, repo };
}

/** A repository in lower case: names of repositories are compared without regard to case. */
export type RepositoryKey = { owner: string; repo: string };

export function toRepositoryKey({ owner, repo }: RepositoryName): RepositoryKey {
  return { owner: owner.toLowerCase(), repo: repo.toLowerCase() };
}
