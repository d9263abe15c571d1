import { describe, expect, it } from '@jest/globals';
import { nextVersion, pairToMeasure, type CurrentVersion, type Promotion } from '../../src/baselines/baseline.ts';

const promotion: Promotion = {
  path: '/',
  viewport: 'desktop',
  filePath: 'new.png',
  source: 'MANUAL',
  approvedById: 'reviewer',
  testRunId: 'run',
  pageResultId: 'result',
  diffScore: 1.5,
  comparedVersionId: 'v3',
  prNumber: null,
  note: null,
  captureEngine: null,
  compareEngine: null,
  atRest: true,
  captureWay: null,
  elementsFile: null,
  manifestFile: null,
  heardFile: null,
};

const NO_MAP = { atRest: false, captureWay: null, elementsFile: null, manifestFile: null, heardFile: null };

const SEED = { ...promotion, source: 'INITIAL' as const };

describe('the version that a promotion makes', () => {
  it('may be a seed where it renews the very version that it was compared with', () => {
    const current = { currentVersionId: 'v3', currentVersion: 3, filePath: 'old.png', ...NO_MAP };
    expect(nextVersion({ ...SEED, renews: true }, current, null)).toMatchObject({ version: 4, atRest: true });
    expect(nextVersion({ ...SEED, renews: true }, { ...current, currentVersionId: 'v4' }, null)).toBeNull();
    expect(nextVersion(SEED, current, null)).toBeNull();
  });

  it('keeps what is known of a screenshot that it already has', () => {
    const current = {
      currentVersionId: 'v3',
      currentVersion: 3,
      filePath: 'new.png',
      atRest: true,
      captureWay: null,
      elementsFile: 'map',
      manifestFile: null,
      heardFile: null,
    };
    const again = { ...promotion, atRest: false };
    expect(nextVersion(again, current, null)).toMatchObject({
      atRest: true,
      captureWay: null,
      elementsFile: 'map',
      manifestFile: null,
      heardFile: null,
    });
    expect(nextVersion(again, { ...current, filePath: 'old.png' }, null)).toMatchObject({
      atRest: false,
      captureWay: null,
      elementsFile: null,
      manifestFile: null,
      heardFile: null,
    });
  });

  it('is the first, with no diff score, where there was none', () => {
    const next = nextVersion({ ...promotion, comparedVersionId: null }, null, null);
    expect(next).toMatchObject({ version: 1, diffScore: null });
  });

  it('follows the current one and keeps the score against it', () => {
    const next = nextVersion(
      promotion,
      { currentVersionId: 'v3', currentVersion: 3, filePath: 'old.png', ...NO_MAP },
      null,
    );
    expect(next).toMatchObject({ version: 4, diffScore: 1.5, note: null });
  });

  it('has the score that was measured, and says why, when another version came in between', () => {
    const next = nextVersion(
      { ...promotion, note: 'Fine.' },
      { currentVersionId: 'v4', currentVersion: 4, filePath: 'other.png', ...NO_MAP },
      7.25,
    );
    expect(next).toMatchObject({ version: 5, diffScore: 7.25 });
    expect(next?.note).toBe('Fine.\nVersion 4 was approved after this screenshot was compared.');
  });

  it('has no score when it could not be measured against the version in between', () => {
    const next = nextVersion(
      promotion,
      { currentVersionId: 'v4', currentVersion: 4, filePath: 'other.png', ...NO_MAP },
      null,
    );
    expect(next).toMatchObject({ version: 5, diffScore: null });
  });

  it('has the score that was measured, and no remark, where the promotion brought none', () => {
    const next = nextVersion(
      { ...promotion, diffScore: null },
      { currentVersionId: 'v3', currentVersion: 3, filePath: 'old.png', ...NO_MAP },
      7.25,
    );
    expect(next).toMatchObject({ version: 4, diffScore: 7.25, note: null });
  });

  it('differs by nothing from a version with the same screenshot', () => {
    const next = nextVersion(
      promotion,
      { currentVersionId: 'v4', currentVersion: 4, filePath: 'new.png', ...NO_MAP },
      null,
    );
    expect(next).toMatchObject({ version: 5, diffScore: 0, note: null });
  });

  it('is no version at all for a seed where one exists', () => {
    expect(
      nextVersion(SEED, { currentVersionId: 'v1', currentVersion: 1, filePath: 'old.png', ...NO_MAP }, null),
    ).toBeNull();
  });
});

describe('what is to be measured for a promotion', () => {
  const pairFor = (changes: Partial<Promotion>, current: CurrentVersion | null) =>
    pairToMeasure({ ...promotion, ...changes }, current, { threshold: 0.1, alignment: true });

  it('is the current screenshot beside the new one, when it was compared with another or with none', () => {
    const pair = { before: 'other.png', after: 'new.png', threshold: 0.1, alignment: true };
    const moved = { currentVersionId: 'v4', currentVersion: 4, filePath: 'other.png', ...NO_MAP };
    expect(pairFor({}, moved)).toEqual(pair);
    expect(pairFor({ comparedVersionId: null, diffScore: null }, moved)).toEqual(pair);
    expect(pairFor({ comparedVersionId: 'v4', diffScore: null }, moved)).toEqual(pair);
  });

  it.each([
    ['a first version', {}, null],
    [
      'a screenshot that was compared with the current one',
      {},
      { currentVersionId: 'v3', currentVersion: 3, filePath: 'old.png', ...NO_MAP },
    ],
    ['the same screenshot', {}, { currentVersionId: 'v4', currentVersion: 4, filePath: 'new.png', ...NO_MAP }],
    [
      'a seed',
      { source: 'INITIAL' as const },
      { currentVersionId: 'v4', currentVersion: 4, filePath: 'other.png', ...NO_MAP },
    ],
  ])('is nothing for %s', (_, changes, current) => {
    expect(pairFor(changes, current)).toBeNull();
  });
});
