import type { z } from 'zod';
import type { SuiteConfig } from '../suites/suite-config.ts';
import type { CrawlState, SuiteForViewer } from '../suites/suite.ts';
import { presentAccess } from './present-access.ts';
import { presentSummaryOrNull } from './present-user.ts';
import type { SuiteCrawlState, TestSuite } from './schemas/test-suites.ts';

type PublicSuite = z.output<typeof TestSuite>;

function presentConfig(config: SuiteConfig): PublicSuite['config'] {
  const { followSitemap, respectRobots, userAgent, timeout } = config.crawlOptions;
  return {
    maxPages: config.maxPages,
    maxDepth: config.maxDepth,
    recrawlInterval: config.recrawlInterval,
    viewports: config.viewports.map(({ width, height, name }) => ({ width, height, name })),
    waitStrategy: config.waitStrategy,
    waitTime: config.waitTime,
    fullPage: config.fullPage,
    customCss: config.customCss,
    threshold: config.threshold,
    failureThreshold: config.failureThreshold,
    screenshotConcurrency: config.screenshotConcurrency,
    comparisonConcurrency: config.comparisonConcurrency,
    crawlOptions: { followSitemap, respectRobots, userAgent, timeout },
  };
}

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

export function presentSuite(suite: SuiteForViewer): PublicSuite {
  return {
    id: suite.id,
    name: suite.name,
    baseUrl: suite.baseUrl,
    description: suite.description,
    kind: suite.kind,
    config: presentConfig(suite.config),
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
