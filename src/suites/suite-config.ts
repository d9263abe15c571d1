import { z } from 'zod';
import { VERSION } from '../version.ts';

export const RECRAWL_INTERVALS = ['off', '6h', '12h', 'daily', 'weekly'] as const;
type RecrawlInterval = (typeof RECRAWL_INTERVALS)[number];

export const WAIT_STRATEGIES = ['networkidle', 'domcontentloaded', 'load'] as const;

const MAX_CSS_BYTES = 64 * 1024;

/** The least and the greatest value of each number (contract 3). */
export const CONFIG_BOUNDS = {
  maxPages: [1, 10_000],
  maxDepth: [0, 50],
  waitTime: [0, 60_000],
  threshold: [0, 1],
  failureThreshold: [0, 100],
  screenshotConcurrency: [1, 16],
  comparisonConcurrency: [1, 16],
  timeout: [1000, 120_000],
  width: [100, 4096],
  height: [100, 16_384],
} as const;
export const MAX_VIEWPORTS = 10;

const whole = ([low, high]: readonly [number, number]) => z.int().min(low).max(high);
const real = ([low, high]: readonly [number, number]) => z.number().min(low).max(high);

export const Viewport = z.object({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
  width: whole(CONFIG_BOUNDS.width),
  height: whole(CONFIG_BOUNDS.height),
});
/** CSS pixels. */
export type Viewport = z.infer<typeof Viewport>;

const CrawlOptions = z.strictObject({
  followSitemap: z.boolean().nullable().optional(),
  respectRobots: z.boolean().nullable().optional(),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters')
    .nullable()
    .optional(),
  timeout: whole(CONFIG_BOUNDS.timeout).nullable().optional(),
});

function haveDistinctNames(viewports: Viewport[]): boolean {
  return new Set(viewports.map((viewport) => viewport.name)).size === viewports.length;
}

/** What a user may set, with the bounds of contract 3. `null` puts a field back to its default. */
export const SuiteConfigInput = z.strictObject({
  maxPages: whole(CONFIG_BOUNDS.maxPages).nullable().optional(),
  maxDepth: whole(CONFIG_BOUNDS.maxDepth).nullable().optional(),
  recrawlInterval: z.enum(RECRAWL_INTERVALS).nullable().optional(),
  viewports: z
    .array(Viewport)
    .min(1)
    .max(MAX_VIEWPORTS)
    .refine(haveDistinctNames, 'must have a unique name for each viewport')
    .nullable()
    .optional(),
  waitStrategy: z.enum(WAIT_STRATEGIES).nullable().optional(),
  waitTime: whole(CONFIG_BOUNDS.waitTime).nullable().optional(),
  fullPage: z.boolean().nullable().optional(),
  customCss: z
    .string()
    .refine((css) => Buffer.byteLength(css) <= MAX_CSS_BYTES, 'must be at most 64 KiB')
    .nullable()
    .optional(),
  threshold: real(CONFIG_BOUNDS.threshold).nullable().optional(),
  failureThreshold: real(CONFIG_BOUNDS.failureThreshold).nullable().optional(),
  screenshotConcurrency: whole(CONFIG_BOUNDS.screenshotConcurrency).nullable().optional(),
  comparisonConcurrency: whole(CONFIG_BOUNDS.comparisonConcurrency).nullable().optional(),
  crawlOptions: CrawlOptions.nullable().optional(),
});
export type SuiteConfigInput = z.infer<typeof SuiteConfigInput>;

export type SuiteConfig = {
  maxPages: number;
  /** Links from the base URL. */
  maxDepth: number;
  recrawlInterval: RecrawlInterval;
  viewports: Viewport[];
  waitStrategy: (typeof WAIT_STRATEGIES)[number];
  /** Milliseconds after the wait strategy. */
  waitTime: number;
  fullPage: boolean;
  customCss: string;
  /** pixelmatch's colour threshold, 0 to 1. */
  threshold: number;
  /** A result fails when its diff percentage is greater. */
  failureThreshold: number;
  screenshotConcurrency: number;
  comparisonConcurrency: number;
  /** `timeout` is milliseconds a page. */
  crawlOptions: { followSitemap: boolean; respectRobots: boolean; userAgent: string; timeout: number };
};

export const DEFAULT_CONFIG: SuiteConfig = {
  maxPages: 100,
  maxDepth: 5,
  recrawlInterval: 'daily',
  viewports: [
    { name: 'desktop', width: 1280, height: 800 },
    { name: 'mobile', width: 375, height: 812 },
  ],
  waitStrategy: 'load',
  waitTime: 0,
  fullPage: true,
  customCss: '',
  threshold: 0.1,
  failureThreshold: 0,
  screenshotConcurrency: 2,
  comparisonConcurrency: 2,
  crawlOptions: {
    followSitemap: true,
    respectRobots: true,
    userAgent: `Pixelgate/${VERSION}`,
    timeout: 30_000,
  },
};

/** What a run or a crawl goes by: the user's settings over the defaults. */
export function effectiveConfig(set: SuiteConfigInput): SuiteConfig {
  const crawl = set.crawlOptions ?? {};
  return {
    maxPages: set.maxPages ?? DEFAULT_CONFIG.maxPages,
    maxDepth: set.maxDepth ?? DEFAULT_CONFIG.maxDepth,
    recrawlInterval: set.recrawlInterval ?? DEFAULT_CONFIG.recrawlInterval,
    viewports: set.viewports ?? DEFAULT_CONFIG.viewports,
    waitStrategy: set.waitStrategy ?? DEFAULT_CONFIG.waitStrategy,
    waitTime: set.waitTime ?? DEFAULT_CONFIG.waitTime,
    fullPage: set.fullPage ?? DEFAULT_CONFIG.fullPage,
    customCss: set.customCss ?? DEFAULT_CONFIG.customCss,
    threshold: set.threshold ?? DEFAULT_CONFIG.threshold,
    failureThreshold: set.failureThreshold ?? DEFAULT_CONFIG.failureThreshold,
    screenshotConcurrency: set.screenshotConcurrency ?? DEFAULT_CONFIG.screenshotConcurrency,
    comparisonConcurrency: set.comparisonConcurrency ?? DEFAULT_CONFIG.comparisonConcurrency,
    crawlOptions: {
      followSitemap: crawl.followSitemap ?? DEFAULT_CONFIG.crawlOptions.followSitemap,
      respectRobots: crawl.respectRobots ?? DEFAULT_CONFIG.crawlOptions.respectRobots,
      userAgent: crawl.userAgent ?? DEFAULT_CONFIG.crawlOptions.userAgent,
      timeout: crawl.timeout ?? DEFAULT_CONFIG.crawlOptions.timeout,
    },
  };
}

/** An update's settings laid over the stored ones, field by field; `crawlOptions` likewise. */
export function mergeConfig(stored: SuiteConfigInput, update: SuiteConfigInput): SuiteConfigInput {
  const merged = { ...stored, ...update };
  if (stored.crawlOptions && update.crawlOptions) {
    merged.crawlOptions = { ...stored.crawlOptions, ...update.crawlOptions };
  }
  return merged;
}
