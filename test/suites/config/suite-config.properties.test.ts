import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DEFAULT_CONFIG,
  effectiveConfig,
  mergeConfig,
  SUITE_CONFIG,
  SuiteConfigInput,
} from '../../../src/suites/config/suite-config.ts';

/** A field that an update leaves alone, puts back to its default, or sets. */
const field = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), fc.constant(null), value);

const ms = fc.integer({ min: 0, max: 10_000 });
const settle = fc.record({ quiet: field(ms), network: field(ms), timeout: field(ms) }, { requiredKeys: [] });
const crawlOptions = fc.record(
  { timeout: field(fc.integer({ min: 1000, max: 120_000 })), respectRobots: field(fc.boolean()) },
  { requiredKeys: [] },
);
const viewports = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('desktop', 'mobile', 'wide'),
    width: fc.integer({ min: 320, max: 1200 }),
    height: fc.integer({ min: 320, max: 1200 }),
  }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

const FIELDS = {
  maxPages: field(fc.integer({ min: 1, max: 10_000 })),
  recrawlInterval: field(fc.constantFrom('off' as const, '6h' as const, 'daily' as const)),
  viewports: field(viewports),
  fullPage: field(fc.boolean()),
  threshold: field(fc.double({ min: 0, max: 1, noNaN: true })),
  customCss: field(fc.constantFrom('', '.ad { display: none }')),
  baseBranches: field(fc.constant<string[]>(['main', 'release/*'])),
};

/** An update. `groups`: what may stand for settings that have settings of their own. */
const updates = (groups: <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<T | null | undefined>) =>
  fc.record({ ...FIELDS, settle: groups(settle), crawlOptions: groups(crawlOptions) }, { requiredKeys: [] });

const update: fc.Arbitrary<SuiteConfigInput> = updates(field);
/** Two updates one after the other are an update only if neither puts a whole group back. */
const fieldwise: fc.Arbitrary<SuiteConfigInput> = updates((value) => fc.oneof(fc.constant(undefined), value));

const RUNS = { numRuns: 300 };

/** What a field is after an update: it is left, put back, or set. */
const decided = <T>(set: T | null | undefined, before: T, fallback: T): T =>
  set === undefined ? before : (set ?? fallback);

describe('any update of a configuration', () => {
  it('does the same in one step or in two', () => {
    fc.assert(
      fc.property(update, fieldwise, fieldwise, (stored, first, second) => {
        const inTwo = mergeConfig(mergeConfig(stored, first), second);
        expect(mergeConfig(stored, mergeConfig(first, second))).toEqual(inTwo);
      }),
      RUNS,
    );
  });

  it('changes nothing when it is empty, or was made before', () => {
    fc.assert(
      fc.property(update, update, (stored, change) => {
        expect(mergeConfig(stored, {})).toEqual(stored);
        const merged = mergeConfig(stored, change);
        expect(mergeConfig(merged, change)).toEqual(merged);
      }),
      RUNS,
    );
  });

  it('decides what it names, with null for the default, and leaves the rest', () => {
    fc.assert(
      fc.property(update, update, (stored, change) => {
        const [before, after] = [effectiveConfig(stored), effectiveConfig(mergeConfig(stored, change))];
        expect(after.maxPages).toBe(decided(change.maxPages, before.maxPages, DEFAULT_CONFIG.maxPages));
        const { quiet } = DEFAULT_CONFIG.settle;
        const isReset = change.settle === null;
        expect(after.settle.quiet).toBe(isReset ? quiet : decided(change.settle?.quiet, before.settle.quiet, quiet));
      }),
      RUNS,
    );
  });
});

describe('any configuration', () => {
  it('may be set, and is what a run goes by once defaults stand for the rest', () => {
    fc.assert(
      fc.property(update, (set) => {
        expect(SuiteConfigInput.safeParse(set).success).toBe(true);
        const effective = effectiveConfig(set);
        expect(SUITE_CONFIG.value.safeParse(effective).success).toBe(true);
        expect(effectiveConfig(SuiteConfigInput.parse(effective))).toEqual(effective);
        expect(effectiveConfig(SUITE_CONFIG.withoutDefaults(set) ?? {})).toEqual(effective);
      }),
      RUNS,
    );
  });
});
