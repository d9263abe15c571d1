import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { compareSettings } from '../../../src/suites/config-file/compare-settings.ts';
import { parseConfigFile } from '../../../src/suites/config-file/parse-config-file.ts';
import { compareOwn, compareOwnFile, ownSettings } from '../../../src/suites/config-file/pull-request-config.ts';
import {
  describeDifference,
  hashLoosening,
  presentDifferences,
} from '../../../src/suites/config-file/settings-difference.ts';
import { effectiveConfig, SUITE_CONFIG, type SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';

const PATHS = ['/', '/prices', '/blog/one', '/blog/two'];
const repository = { defaultBranch: 'main', baseUrl: 'https://site.example/' };
const DESKTOP = { name: 'desktop', width: 1280, height: 800 };
const MOBILE = { name: 'mobile', width: 375, height: 812 };

const compare = (base: SuiteConfigInput, head: SuiteConfigInput, paths = PATHS) =>
  compareSettings({ base: effectiveConfig(base), head: effectiveConfig(head), paths, repository });

const effects = async (base: SuiteConfigInput, head: SuiteConfigInput) =>
  [...new Set((await compare(base, head)).map(({ effect }) => effect))].toSorted();

const one = { paths: ['**'] };
const rules = (...said: Omit<NonNullable<SuiteConfigInput['rules']>[number], 'paths'>[]) => ({
  rules: said.map((each) => ({ ...one, ...each })),
});

/** From the first to the second the judge is looser, and the other way round it is stricter. */
const ONE_WAY: [string, SuiteConfigInput, SuiteConfigInput][] = [
  ['failureThreshold', { failureThreshold: 0.01 }, { failureThreshold: 5 }],
  ['threshold', {}, { threshold: 0.1 }],
  ['ignoreFaint', {}, { ignoreFaint: true }],
  ['alignment', { alignment: false }, {}],
  ['control', { control: false }, {}],
  ['reuseUnchanged', {}, { reuseUnchanged: 'on' }],
  ['behind', { behind: false }, {}],
  ['accessibility', { accessibility: 'all' }, {}],
  ['accessibility off', {}, { accessibility: 'off' }],
  ['accessibilityGate', { accessibilityGate: true }, {}],
  ['fullPage', {}, { fullPage: false }],
  ['blockHosts', { blockHosts: ['a.example'] }, { blockHosts: ['a.example', 'b.example'] }],
  ['viewports', {}, { viewports: [DESKTOP] }],
  ['maxPages', {}, { maxPages: 10 }],
  ['maxDepth', {}, { maxDepth: 1 }],
  ['recrawlInterval', {}, { recrawlInterval: 'off' }],
  ['autoTrack off', { autoTrack: 'all' }, { autoTrack: 'off' }],
  ['autoTrack paths', { autoTrack: { paths: ['a', 'b'] } }, { autoTrack: { paths: ['a'] } }],
  ['autoTrack limit', { autoTrack: { paths: ['a'] } }, { autoTrack: { paths: ['a'], limit: 3 } }],
  ['baseBranches', { baseBranches: ['main', 'release/*'] }, {}],
  ['crawlOptions.timeout', {}, { crawlOptions: { timeout: 1000 } }],
  ['crawlOptions.followSitemap', {}, { crawlOptions: { followSitemap: false } }],
  ['crawlOptions.respectRobots', { crawlOptions: { respectRobots: false } }, {}],
  ['rules.ignore', {}, rules({ ignore: ['.ad'] })],
  ['rules.ignoreBoxes', {}, rules({ ignoreBoxes: [{ x: 0, y: 0, width: 1, height: 1 }] })],
  ['rules.mask', {}, rules({ mask: ['.ad'] })],
  ['rules.hide', {}, rules({ hide: ['.ad'] })],
  ['rules.remove', {}, rules({ remove: ['.ad'] })],
  ['rules.skip', {}, rules({ skip: true })],
  ['rules.failureThreshold', {}, rules({ failureThreshold: 1 })],
];

/** Whichever comes first, the page is captured in another way. */
const EITHER_WAY: [string, SuiteConfigInput, SuiteConfigInput][] = [
  ['waitStrategy', {}, { waitStrategy: 'networkidle' }],
  ['waitTime', {}, { waitTime: 100 }],
  ['settle', {}, { settle: { quiet: 500, network: 500, timeout: 4000 } }],
  ['clock', {}, { clock: { mode: 'fixed', at: '2026-01-01T00:00:00Z' } }],
  ['seedRandom', {}, { seedRandom: false }],
  ['serviceWorkers', {}, { serviceWorkers: 'allow' }],
  ['colorScheme', {}, { colorScheme: 'dark' }],
  ['locale', {}, { locale: 'de-DE' }],
  ['timezone', {}, { timezone: 'Europe/Berlin' }],
  ['reducedMotion', {}, { reducedMotion: false }],
  ['customCss', {}, { customCss: 'p { color: red }' }],
  ['a viewport', { viewports: [DESKTOP] }, { viewports: [{ ...DESKTOP, width: 1300 }] }],
  ['blockHosts that exclude', { blockHosts: ['*.a'] }, { blockHosts: ['*.a', '!b.a'] }],
  ['crawlOptions.userAgent', {}, { crawlOptions: { userAgent: 'me' } }],
  ['preview', { preview: { environment: ['a'] } }, { preview: { environment: ['b'] } }],
  ['rules.waitFor', {}, rules({ waitFor: ['.done'] })],
  ['rules.actions', {}, rules({ actions: [{ type: 'wait', ms: 1 }] })],
  ['rules.css', {}, rules({ css: 'p {}' })],
  ['rules.waitTime', {}, rules({ waitTime: 1 })],
];

describe('the difference between two configurations', () => {
  it.each(ONE_WAY)('loosens one way and tightens the other: %s', async (_field, strict, loose) => {
    expect(await effects(strict, loose)).toEqual(['LOOSENS']);
    expect(await effects(loose, strict)).toEqual(['TIGHTENS']);
  });

  it.each(EITHER_WAY)('loosens either way: %s', async (_field, before, after) => {
    expect(await effects(before, after)).toContain('LOOSENS');
    expect(await effects(after, before)).toContain('LOOSENS');
  });

  it('loosens nothing where only the pace differs, or a preview is named first', async () => {
    expect(await effects({}, { screenshotConcurrency: 8, comparisonConcurrency: 1 })).toEqual(['NEUTRAL']);
    expect(await effects({}, { schedule: 'hourly' })).toEqual(['NEUTRAL']);
    expect(await effects({}, { preview: { environment: ['Preview'] } })).toEqual(['NEUTRAL']);
    expect(await effects({}, { preview: { url: 'https://site.example/?pr={number}' } })).toEqual(['LOOSENS']);
    expect(await effects({}, { preview: { url: 'https://pr-{number}.example.app' } })).toEqual(['NEUTRAL']);
    expect(await effects({}, { preview: { url: 'https://staging.example' } })).toEqual(['LOOSENS']);
    expect(await effects({}, { baseBranches: ['main', 'next'] })).toEqual(['TIGHTENS']);
    expect(await effects({ viewports: [DESKTOP] }, { viewports: [DESKTOP, MOBILE] })).toEqual(['TIGHTENS']);
    expect(await compare({}, {})).toEqual([]);
  });

  it('has a test here for every setting', () => {
    const named = JSON.stringify([...ONE_WAY, ...EITHER_WAY]);
    const paths = SUITE_CONFIG.settings('', null).map(({ path }) => path.slice(1));
    const missing = paths.filter((path) => !named.includes(path.split('.').at(-1) ?? ''));
    expect(missing).toEqual([
      'pullRequestComment',
      'summaryCheck',
      'badge',
      'schedule',
      'screenshotConcurrency',
      'comparisonConcurrency',
      'keepDays',
      'keepRuns',
    ]);
  });

  it('is that of the pages and viewports that rules are for', async () => {
    const base = { failureThreshold: 0.01, rules: [{ paths: ['blog'], failureThreshold: 5 }] };
    const [difference, ...others] = presentDifferences(
      (await compare(base, { ...base, failureThreshold: 5 })).map((each) => ({ ...each, applies: 'NOW' })),
    );
    expect(others).toEqual([]);
    expect(difference).toMatchObject({ field: 'failureThreshold', pages: 2, paths: ['/', '/prices'] });
    expect(difference && describeDifference(difference)).toBe(
      'failureThreshold `0.01` → `5` on 2 pages at desktop, mobile',
    );
    const masked = { rules: [{ paths: ['prices'], viewports: ['mobile'], mask: ['#a', '#b'] }] };
    expect((await compare({}, masked)).map(({ before, after, places }) => [before, after, places])).toEqual([
      [null, '#a', [{ path: '/prices', viewport: 'mobile' }]],
      [null, '#b', [{ path: '/prices', viewport: 'mobile' }]],
    ]);
  });

  it('is also that of rules at a viewport that is added or renamed, except for pages left out there', async () => {
    const wide = {
      viewports: [{ ...DESKTOP, name: 'wide' }],
      ...rules({ viewports: ['wide'], failureThreshold: 100 }),
    };
    const [threshold] = await compare({ viewports: [DESKTOP] }, wide, ['/']);
    expect(threshold).toEqual({
      field: 'failureThreshold',
      before: 0,
      after: 100,
      effect: 'LOOSENS',
      places: [{ path: '/', viewport: 'wide' }],
    });
    const added = { viewports: [DESKTOP, MOBILE] };
    const ignored = { ...added, ...rules({ viewports: ['mobile'], ignore: ['body'] }) };
    expect(await effects({ viewports: [DESKTOP] }, ignored)).toEqual(['LOOSENS', 'TIGHTENS']);
    const skipped = { ...added, ...rules({ viewports: ['mobile'], skip: true }) };
    expect(await effects({ viewports: [DESKTOP] }, skipped)).toEqual(['NEUTRAL', 'TIGHTENS']);
  });

  it('is none where rules stand in another order, or match no tracked page', async () => {
    const [first, second] = [
      { paths: ['blog'], ignore: ['.a'] },
      { paths: ['**'], ignore: ['.b'] },
    ];
    expect(await effects({ rules: [first, second] }, { rules: [second, first] })).toEqual(['NEUTRAL']);
    expect(await effects({}, { rules: [{ paths: ['nowhere'], skip: true }] })).toEqual(['NEUTRAL']);
    const skipped = rules({ skip: true });
    expect(await effects(skipped, { rules: [...skipped.rules, { paths: ['**'], mask: ['body'] }] })).toEqual([
      'NEUTRAL',
    ]);
  });
});

describe('what a pull request changes', () => {
  const LATE = { used: ['rules'], fromFork: false, paths: PATHS, repository };
  afterEach(() => void jest.restoreAllMocks());

  const read = (text: string) => {
    const { settings } = parseConfigFile(text);
    if (settings === null) throw new Error('The file is not valid');
    return settings;
  };

  it('is not what came to its base since, nor what it only leaves out', () => {
    const own = (began: string, head: string) =>
      JSON.parse(JSON.stringify(ownSettings(read(began).config, read(head).config)));
    expect(own('threshold: 0.1\nmaxPages: 5\n', 'threshold: 0.1\nmaxPages: 6\n')).toMatchObject({ maxPages: 6 });
    expect(own('threshold: 0.1\nmaxPages: 5\n', 'threshold: 0.1\nmaxPages: 6\n')).not.toHaveProperty('threshold');
    expect(own('threshold: 0.1\n', '')).toEqual({ crawlOptions: {}, settle: {} });
  });

  it('has the same hash for the same loosening, whatever else it tightens', async () => {
    const hash = async (own: SuiteConfigInput, said: { base?: SuiteConfigInput; paths?: string[] } = {}) => {
      const suite = effectiveConfig(said.base ?? {});
      const used = ['failureThreshold', 'rules', 'threshold'];
      const paths = said.paths ?? PATHS;
      return hashLoosening(await compareOwn({ suite, own, used, fromFork: false, paths, repository }));
    };
    const first = await hash({ failureThreshold: 5 });
    expect(first).not.toBeNull();
    expect(await hash({ failureThreshold: 5, autoTrack: 'all' })).toBe(first);
    expect(await hash({ failureThreshold: 6 })).not.toBe(first);
    expect(await hash({ failureThreshold: 5 }, { base: { failureThreshold: 1 } })).not.toBe(first);
    expect(await hash({ failureThreshold: 5 }, { paths: [...PATHS, '/more'] })).not.toBe(first);
    expect(await hash({ failureThreshold: 5 }, { base: { failureThreshold: 7 } })).toBeNull();
  });

  it('has another hash for other rules, also where there is no time to compare them', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
    const hash = async (own: SuiteConfigInput) => {
      const compared = await compareOwn({ ...LATE, suite: effectiveConfig({}), own });
      return hashLoosening(compared);
    };
    const approved = await hash(rules({ mask: ['.ad'] }));
    expect(approved).not.toBeNull();
    expect(await hash(rules({ mask: ['.ad'] }))).toBe(approved);
    expect(await hash(rules({ mask: ['.ad'] }, { mask: ['body'] }))).not.toBe(approved);
    expect(await hash({ ...rules({ mask: ['.ad'] }), failureThreshold: 100 })).not.toBe(approved);
  });

  it('is also what only the file says', () => {
    const judge = (began: string, head: string) =>
      compareOwnFile(read(began), read(head), { fromFork: false, repository }).map(({ field, effect }) => [
        field,
        effect,
      ]);
    expect(judge('', 'previewUrl: https://pr-{number}.example.app\n')).toEqual([['previewUrl', 'NEUTRAL']]);
    expect(judge('', 'previewUrl: https://site.example/?{number}\n')).toEqual([['previewUrl', 'LOOSENS']]);
    expect(judge('', 'previewUrl: https://site.example/pr-{number}/\n')).toEqual([['previewUrl', 'NEUTRAL']]);
    expect(judge('', 'previewUrl: https://staging.example/?pr={number}\n')).toEqual([['previewUrl', 'LOOSENS']]);
    expect(judge('previewUrl: https://a.example\n', 'previewUrl: https://b.example\n')).toEqual([
      ['previewUrl', 'LOOSENS'],
    ]);
    expect(judge('', 'paths: [web/**]\n')).toEqual([['paths', 'LOOSENS']]);
    expect(judge('paths: [web/**]\n', 'paths: [web/**, api/**]\n')).toEqual([['paths', 'TIGHTENS']]);
    expect(judge('', 'ignoreDrafts: true\n')).toEqual([['ignoreDrafts', 'NEUTRAL']]);
    expect(judge('', 'runAfterMerge: true\n')).toEqual([['runAfterMerge', 'NEUTRAL']]);
  });
});
