import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_CONFIG,
  effectiveConfig,
  mergeConfig,
  SuiteConfigInput,
} from '../../../src/suites/config/suite-config.ts';

const refused = (config: unknown) =>
  SuiteConfigInput.safeParse(config).error?.issues.map((issue) => issue.path.join('.'));

describe('the bounds of a config', () => {
  it.each([
    ['maxPages', [0, 10_001, 1.5, '5'], [1, 10_000]],
    ['maxDepth', [-1, 51], [0, 50]],
    ['waitTime', [-1, 60_001], [0, 60_000]],
    ['threshold', [-0.01, 1.01, Number.NaN], [0, 1]],
    ['failureThreshold', [-0.1, 100.1], [0, 100]],
    ['screenshotConcurrency', [0, 17], [1, 16]],
    ['comparisonConcurrency', [0, 17], [1, 16]],
    ['keepDays', [-1, 36_501, 1.5], [0, 365]],
    ['keepRuns', [-1, 1_000_001], [0, 100]],
    ['recrawlInterval', ['hourly'], ['off', '6h', '12h', 'daily', 'weekly']],
    ['waitStrategy', ['idle'], ['load', 'domcontentloaded', 'networkidle']],
    ['fullPage', ['yes'], [true, false]],
    ['timezone', ['', 'Berlin', '+01:00', '-0330'], ['UTC', 'Europe/Berlin', 'europe/berlin', 'Etc/GMT+5']],
    ['locale', ['', 'german', 'de_DE'], ['de', 'de-DE', 'en-US-u-ca-hebrew', 'haw']],
  ])('%s is refused outside and taken inside', (field, outside, inside) => {
    for (const value of outside) expect(refused({ [field]: value })).toEqual([field]);
    for (const value of inside) expect(refused({ [field]: value })).toBeUndefined();
  });

  it('names the viewport and the side that is out of bounds', () => {
    expect(refused({ viewports: [{ name: 'a', width: 99, height: 800 }] })).toEqual(['viewports.0.width']);
    expect(refused({ viewports: [{ name: 'a', width: 100, height: 16_385 }] })).toEqual(['viewports.0.height']);
    expect(refused({ viewports: [{ name: 'a b', width: 100, height: 100 }] })).toEqual(['viewports.0.name']);
    expect(refused({ viewports: [] })).toEqual(['viewports']);
  });

  it('refuses two viewports with one name', () => {
    const viewport = { name: 'wide', width: 1280, height: 800 };
    expect(refused({ viewports: [viewport, viewport] })).toEqual(['viewports']);
  });

  it('measures custom CSS in bytes', () => {
    expect(refused({ customCss: 'é'.repeat(32 * 1024) })).toBeUndefined();
    expect(refused({ customCss: `${'é'.repeat(32 * 1024)}a` })).toEqual(['customCss']);
  });

  it('bounds the crawl options and refuses a name it does not know', () => {
    expect(refused({ crawlOptions: { timeout: 999 } })).toEqual(['crawlOptions.timeout']);
    expect(refused({ crawlOptions: { userAgent: 'two\r\nlines' } })).toEqual(['crawlOptions.userAgent']);
    expect(refused({ maxPage: 5 })).toEqual(['']);
  });
});

describe('the effective config', () => {
  it('is the defaults where nothing is set', () => {
    expect(effectiveConfig({})).toEqual(DEFAULT_CONFIG);
  });

  it('lays what is set over the defaults, inside the crawl options too', () => {
    const config = effectiveConfig({ maxPages: 7, crawlOptions: { timeout: 5000 } });
    expect(config.maxPages).toBe(7);
    expect(config.crawlOptions).toEqual({ ...DEFAULT_CONFIG.crawlOptions, timeout: 5000 });
  });

  it('is put back to a default by null', () => {
    expect(effectiveConfig(mergeConfig({ maxPages: 7 }, { maxPages: null })).maxPages).toBe(100);
    const crawlOptions = { timeout: 5000, followSitemap: false };
    const merged = mergeConfig({ crawlOptions }, SuiteConfigInput.parse({ crawlOptions: { timeout: null } }));
    expect(effectiveConfig(merged).crawlOptions).toMatchObject({ timeout: 30_000, followSitemap: false });
  });

  it('keeps what an update leaves out', () => {
    const merged = mergeConfig(
      { maxPages: 7, crawlOptions: { timeout: 5000 } },
      { crawlOptions: { respectRobots: false } },
    );
    expect(merged).toEqual({ maxPages: 7, crawlOptions: { timeout: 5000, respectRobots: false } });
  });
});
