import { describe, expect, it } from '@jest/globals';
import { parseGroupBranch, parsePullRequestNumbers } from '../../../src/github/checks/judge-merge-group.ts';
import { buildGroupCheck } from '../../../src/pull-requests/check/summary-check.ts';

describe('the branch of a merge group', () => {
  it.each([
    ['refs/heads/gh-readonly-queue/main/pr-104-929f8209', { baseBranch: 'main', number: 104 }],
    ['gh-readonly-queue/release/2.x/pr-7-abc', { baseBranch: 'release/2.x', number: 7 }],
    ['refs/heads/main', null],
    ['refs/heads/gh-readonly-queue/main', null],
    ['feature/gh-readonly-queue/main/pr-1-abc', null],
  ])('%s names %j', (ref, parsed) => {
    expect(parseGroupBranch(ref)).toEqual(parsed);
  });
});

describe('the commits of a merge group', () => {
  it('name their pull requests as GitHub words a merge or a squash', () => {
    expect(
      parsePullRequestNumbers([
        'Merge pull request #12 from acme/feature\n\nA feature (#99)',
        'Mend what #3 broke (#13)',
        'Revert "Mend (#13)" (#14)',
        'Mend (#13)\n\nmore',
        'A plain commit of #15',
        '',
      ]),
    ).toEqual([12, 13, 14]);
  });
});

describe('the check of a merge group', () => {
  const passed = (number: number) => ({
    number,
    passes: true,
    says: 'No visual changes',
    address: `https://g/${number}`,
  });
  const blocked = (number: number) => ({ ...passed(number), passes: false, says: '1 changed: review required' });

  it('passes when every pull request in it has', () => {
    expect(buildGroupCheck([passed(1), passed(2)], 'https://g')).toMatchObject({
      conclusion: 'success',
      detailsUrl: 'https://g/1',
      title: 'Visual review passed: #1, #2',
    });
  });

  it('fails for one that has not, and leads there', () => {
    const check = buildGroupCheck([passed(1), blocked(2)], 'https://g');
    expect(check).toMatchObject({
      conclusion: 'failure',
      detailsUrl: 'https://g/2',
      title: 'Visual review not passed: #2',
    });
    expect(check.summary.split('\n')[0]).toBe(
      '- **Not passed**: #2, `1 changed: review required` ([view run](https://g/2))',
    );
  });

  it('fails when nobody knows what is in it', () => {
    expect(buildGroupCheck([], 'https://g')).toMatchObject({ conclusion: 'failure', detailsUrl: 'https://g' });
  });
});
