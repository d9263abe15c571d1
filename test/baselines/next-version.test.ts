import { describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../src/baselines/baseline.ts';
import { nextVersion } from '../../src/baselines/baseline.ts';

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
};

describe('the version that a promotion makes', () => {
  it('is the first, with no diff score, where there was none', () => {
    expect(nextVersion({ ...promotion, comparedVersionId: null }, null)).toMatchObject({ version: 1, diffScore: null });
  });

  it('follows the current one and keeps the score against it', () => {
    const next = nextVersion(promotion, { id: 'v3', version: 3, filePath: 'old.png' });
    expect(next).toMatchObject({ version: 4, diffScore: 1.5, note: null });
  });

  it('has no score, and says why, when another version came in between', () => {
    const next = nextVersion({ ...promotion, note: 'Fine.' }, { id: 'v4', version: 4, filePath: 'other.png' });
    expect(next).toMatchObject({ version: 5, diffScore: null });
    expect(next?.note).toBe('Fine.\nVersion 4 had been approved since this picture was compared.');
  });

  it('differs by nothing from a version with the same picture', () => {
    const next = nextVersion(promotion, { id: 'v4', version: 4, filePath: 'new.png' });
    expect(next).toMatchObject({ version: 5, diffScore: 0, note: null });
  });

  it('is no version at all for a seed where one exists', () => {
    expect(nextVersion({ ...promotion, source: 'INITIAL' }, { id: 'v1', version: 1, filePath: 'old.png' })).toBeNull();
  });
});
