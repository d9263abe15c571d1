import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideOutcome, decideReviewState } from '../../src/runs/outcome.ts';
import { CAUSES, isChanged, SETTLED_STATUSES } from '../../src/runs/results/result.ts';
import { runs } from '../support/property-runs.ts';

const result = fc.record({
  status: fc.constantFrom(...SETTLED_STATUSES),
  cause: fc.constantFrom(...CAUSES, null),
  approved: fc.boolean(),
  path: fc.constantFrom('/', '/a', '/b', '/c'),
  currentFile: fc.constantFrom('one.png', 'other.png', null),
});
const results = fc.array(result, { maxLength: 20 });
/** The same results, in another order. */
const shuffled = results.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
);

const RUNS = runs(300);

describe('the outcome of any results', () => {
  it('counts each once, and does not depend on their order', () => {
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const outcome = decideOutcome(all);
        const {
          passedTests = 0,
          failedTests = 0,
          errorTests = 0,
          totalPages = 0,
          totalScreenshots = 0,
        } = outcome.metadata;
        expect(passedTests + failedTests + errorTests).toBe(all.length);
        expect(totalPages).toBeLessThanOrEqual(all.length);
        expect(totalScreenshots).toBeLessThanOrEqual(all.length);
        expect(decideOutcome(other)).toEqual(outcome);
      }),
      RUNS,
    );
  });

  it('is FAILED with nothing but errors, and never otherwise', () => {
    const failed = fc.array(result.map((each) => ({ ...each, status: 'ERROR' as const })));
    fc.assert(
      fc.property(fc.oneof(results, failed), (all) => {
        const everyErrored = all.length > 0 && all.every(({ status }) => status === 'ERROR');
        const { status, metadata } = decideOutcome(all);
        expect([status, metadata.error !== undefined]).toEqual(everyErrored ? ['FAILED', true] : ['COMPLETED', false]);
      }),
      RUNS,
    );
  });
});

const PLAIN = { changeRequests: 0, settingsHash: null, settingsApprovedAt: null };

describe('the gate of any results', () => {
  it('is open when every change is approved, and asks for nothing without one', () => {
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const open = all.filter((each) => isChanged(each) && !each.approved);
        const expected = open.length > 0 ? 'PENDING' : all.some(isChanged) ? 'APPROVED' : 'NOT_REQUIRED';
        expect(decideReviewState(all, PLAIN)).toBe(expected);
        expect(decideReviewState(other, PLAIN)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('looks at changes only', () => {
    fc.assert(
      fc.property(results, (all) => {
        expect(decideReviewState(all.filter(isChanged), PLAIN)).toBe(decideReviewState(all, PLAIN));
      }),
      RUNS,
    );
  });

  it('opens with the last approval, and no approval closes it', () => {
    fc.assert(
      fc.property(results, fc.nat(), (all, which) => {
        const before = decideReviewState(all, PLAIN);
        const more = all.map((each, at) => (at === which % (all.length + 1) ? { ...each, approved: true } : each));
        const after = decideReviewState(more, PLAIN);
        expect(before === 'PENDING' || before === after).toBe(true);
        expect(
          decideReviewState(
            all.map((each) => ({ ...each, approved: true })),
            PLAIN,
          ),
        ).not.toBe('PENDING');
      }),
      RUNS,
    );
  });
});
