import type { z } from 'zod';
import { CONFIG_FILE } from '../suites/config-file/config-file.ts';
import { lockedSettings } from '../suites/config-file/locked-settings.ts';
import type { CrawlState, SuiteForViewer } from '../suites/suite.ts';
import { presentAccess } from './present-access.ts';
import { presentSummaryOrNull } from './present-user.ts';
import type { SuiteCrawlState, TestSuite } from './schemas/suite-schemas.ts';

type PublicSuite = z.output<typeof TestSuite>;

export function presentCrawl(crawl: CrawlState): z.output<typeof SuiteCrawlState> {
  const { lastStats } = crawl;
  return {
    status: crawl.status,
    lastCrawledAt: crawl.lastCrawledAt?.toISOString() ?? null,
    lastStats:
      lastStats === null
        ? null
        : {
            pagesFound: lastStats.pagesFound,
            pagesAdded: lastStats.pagesAdded,
            pagesRemoved: lastStats.pagesRemoved,
          },
    error: crawl.error,
  };
}

function presentCodeHost(link: SuiteForViewer['codehost']): PublicSuite['codehost'] {
  if (link === null) return null;
  const { owner, repo, installationId, checkContext } = link;
  return checkContext === undefined ? { owner, repo, installationId } : { owner, repo, installationId, checkContext };
}

function presentConfigFile(file: SuiteForViewer['configFile']): PublicSuite['configFile'] {
  if (file === null) return null;
  const { branch, url, problem, readAt } = file;
  const settings = lockedSettings(file).map((each) => ({ ...each, path: `config.${each.path}` }));
  return { path: CONFIG_FILE, branch, url, settings, problem, readAt };
}

export function presentSuite(suite: SuiteForViewer): PublicSuite {
  return {
    id: suite.id,
    name: suite.name,
    baseUrl: suite.baseUrl,
    description: suite.description,
    kind: suite.kind,
    // It only has the fields of the table in `suite-config.ts`. All of them are public.
    config: suite.config,
    configFile: presentConfigFile(suite.configFile),
    userId: suite.userId,
    isActive: suite.isActive,
    codehost: presentCodeHost(suite.codehost),
    crawl: presentCrawl(suite.crawl),
    owner: presentSummaryOrNull(suite.owner),
    access: presentAccess(suite.access),
    shareCount: suite.shareCount,
    createdAt: suite.createdAt.toISOString(),
    updatedAt: suite.updatedAt.toISOString(),
  };
}
