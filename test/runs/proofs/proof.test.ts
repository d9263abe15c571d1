import { describe, expect, it } from '@jest/globals';
import { addToRecord, chooseMode, describeRecord, isSampled, NO_RECORD } from '../../../src/runs/proofs/proof.ts';
import { effectiveConfig } from '../../../src/suites/config/suite-config.ts';

const branch = { runType: 'BRANCH' as const, rendersAll: false };
const shadow = effectiveConfig({});
const on = effectiveConfig({ reuseUnchanged: 'on' });
const off = effectiveConfig({ reuseUnchanged: 'off' });
const clean = { screenshots: 20, proven: 18, wrong: 0 };

describe('proofs of a suite', () => {
  it('are counted for ten runs and used from then on', () => {
    let record = NO_RECORD;
    for (let runs = 0; runs < 10; runs += 1) {
      expect(chooseMode({ ...branch, config: shadow }, record)).toBe('shadow');
      record = addToRecord(record, clean);
    }
    expect(record).toEqual({ runs: 10, screenshots: 200, proven: 180, wrong: 0 });
    expect(chooseMode({ ...branch, config: shadow }, record)).toBe('used');
  });

  it('are counted anew after a wrong one, whatever the suite says', () => {
    const trusted = { runs: 30, screenshots: 600, proven: 500, wrong: 0 };
    const record = addToRecord(trusted, { ...clean, wrong: 1 });
    expect(record).toEqual({ runs: 0, screenshots: 20, proven: 18, wrong: 1 });
    expect(chooseMode({ ...branch, config: shadow }, record)).toBe('shadow');
    expect(chooseMode({ ...branch, config: on }, record)).toBe('shadow');
  });

  it('are neither made for runs of the site itself, nor where nobody wants them', () => {
    const record = { ...NO_RECORD, runs: 10 };
    expect(chooseMode({ runType: 'MANUAL', rendersAll: false, config: on }, record)).toBeNull();
    expect(chooseMode({ ...branch, rendersAll: true, config: on }, record)).toBeNull();
    expect(chooseMode({ ...branch, config: off }, record)).toBeNull();
    expect(chooseMode({ ...branch, config: on }, NO_RECORD)).toBe('used');
  });

  it('say nothing in a run without any', () => {
    expect(addToRecord(NO_RECORD, { screenshots: 20, proven: 0, wrong: 0 })).toBe(NO_RECORD);
  });

  it('are told on the page of the suite', () => {
    const record = { runs: 9, screenshots: 430, proven: 412, wrong: 0 };
    expect(describeRecord(record, { config: shadow })).toBe(
      '412 of 430 screenshots of previews would have been proven unchanged, 0 wrongly. Proofs are used after 1 more run without a wrong one.',
    );
    expect(describeRecord(record, { config: on })).toContain('412 of 430 screenshots of previews could be proven');
    expect(describeRecord(record, { config: off })).toBeNull();
    expect(describeRecord(NO_RECORD, { config: on })).toBeNull();
  });
});

describe('the sample of proven pages', () => {
  it('has about one page of twenty in each run, and each page in about one run of twenty', () => {
    const paths = Array.from({ length: 400 }, (_, at) => `/page-${at}`);
    const numbers = Array.from({ length: 400 }, (_, at) => 2 * at);
    const counts = [
      ...paths.map((path) => numbers.filter((number) => isSampled({ number }, path)).length),
      ...numbers.map((number) => paths.filter((path) => isSampled({ number }, path)).length),
    ];
    expect(Math.min(...counts)).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBeLessThan(45);
  });
});
