import { describe, expect, it } from '@jest/globals';
import { decideVerdict } from '../../../src/pull-requests/check/check-verdict.ts';
import type { CheckResult, CheckSituation, Verdict } from '../../../src/pull-requests/check/check.ts';
import type { PreviewSearch } from '../../../src/pull-requests/previews/preview-search.ts';
import { results, situation } from './check-situation.js';

const title = (of: CheckSituation) => decideVerdict(of).title;

const changed = (count: number, said: Partial<CheckResult> = {}) => results(count, { status: 'FAIL', ...said });
const fresh = (count: number, path?: string) =>
  results(count, { isNew: true, ...(path === undefined ? {} : { path }) });
const approvedBy = (...names: (string | null)[]) =>
  names.flatMap((approverName) => changed(1, { approved: true, approverName }));
const errors = (count: number) => results(count, { status: 'ERROR' });

type Run = CheckSituation['run'];
type Reason = NonNullable<NonNullable<Run['metadata']>['reason']>;
type Git = Partial<NonNullable<Run['git']>>;

const search: PreviewSearch = { matcher: null, fallback: null, used: null, candidates: [], failed: null };
const signal = { source: 'DEPLOYMENT' as const, name: 'Preview', project: 'docs', link: null };

const ended = (reason: Reason, status: Run['status'] = 'FAILED', said: Partial<CheckSituation> = {}) =>
  situation([], { status, metadata: { reason } }, said);

const withGit = (of: CheckSituation, git: Git): CheckSituation => ({
  ...of,
  run: { ...of.run, git: { prNumber: 7, headSha: 'abc1234def', enqueued: true, ...git } },
});

describe('the verdict on a run that ended early', () => {
  it.each<[Reason, Verdict['conclusion'], string]>([
    ['suite_unlinked', 'cancelled', 'The suite was unlinked from this repository'],
    ['suite_inactive', 'cancelled', 'The suite was deactivated'],
    ['preview_failed', 'failure', 'The preview deployment failed'],
    ['preview_ambiguous', 'action_required', 'Several preview deployments fit'],
    ['preview_replaced', 'cancelled', 'The preview was deployed again'],
    ['draft_ignored', 'cancelled', 'Draft pull requests are not captured'],
    ['paths_unchanged', 'neutral', 'No changed files affect the pages'],
  ])('is right for %s', (reason, conclusion, said) => {
    expect(decideVerdict(ended(reason))).toEqual({ status: 'completed', conclusion, title: said });
  });

  it('passes a skipped deployment only if the search found nothing left to review', () => {
    expect(decideVerdict(ended('preview_skipped', 'COMPLETED')).conclusion).toBe('neutral');
    expect(decideVerdict(ended('preview_skipped', 'FAILED')).conclusion).toBe('failure');
  });

  it('names the deployment that did not come, by its project if it has one', () => {
    const failed = { search: { ...search, failed: signal } };
    expect(title(ended('preview_failed', 'FAILED', failed))).toBe('The deployment of docs failed');
    expect(title(ended('preview_skipped', 'COMPLETED', failed))).toBe('The deployment of docs was skipped');
    const unnamed = { search: { ...search, failed: { ...signal, project: '' } } };
    expect(title(ended('preview_failed', 'FAILED', unnamed))).toBe('The deployment of Preview failed');
    expect(title(ended('preview_timeout', 'FAILED', failed))).toBe('No preview deployment arrived');
    expect(title(ended('preview_failed', 'FAILED', { search }))).toBe('The preview deployment failed');
  });

  it('says how many previews fit', () => {
    const candidates = [signal, { ...signal, project: 'shop' }];
    expect(title(ended('preview_ambiguous', 'FAILED', { search: { ...search, candidates } }))).toBe(
      'Which preview? 2 deployments fit',
    );
    expect(title(ended('preview_timeout', 'FAILED', { search: { ...search, candidates } }))).toBe(
      'No preview deployment arrived',
    );
  });

  it('does without a reason', () => {
    expect(decideVerdict(situation(changed(1), { status: 'CANCELLED' }))).toMatchObject({
      conclusion: 'cancelled',
      title: 'The run was cancelled',
    });
    expect(decideVerdict(situation([]))).toMatchObject({ conclusion: 'neutral', title: 'Nothing to capture' });
  });
});

describe('the verdict on a run in progress', () => {
  it('asks which preview is meant, as long as several fit', () => {
    const of = situation([], { status: 'PENDING' }, { search: { ...search, candidates: [signal, signal] } });
    expect(decideVerdict(withGit(of, { enqueued: false }))).toEqual({
      status: 'queued',
      conclusion: null,
      title: 'Which preview? 2 deployments fit',
    });
    const waiting = 'Waiting for a preview deployment of abc1234';
    expect(title(withGit({ ...of, search }, { enqueued: false }))).toBe(waiting);
    expect(title(situation([], { status: 'PENDING', git: null }))).toBe('Waiting for a preview deployment of ');
  });

  it('does not speak of why it ended before', () => {
    for (const status of ['PENDING', 'RUNNING'] as const) {
      const of = situation(results(2, { status: 'PENDING' }), { status, metadata: { reason: 'superseded' } });
      expect(decideVerdict(of)).toEqual({
        status: 'in_progress',
        conclusion: null,
        title: 'Capturing: 0 of 2 screenshots',
      });
    }
  });
});

describe('the verdict on a completed run', () => {
  it('counts causes where they are known, and what is left of them', () => {
    const pending = { reviewState: 'PENDING' as const };
    const known = (total: number, undecided: number) => ({ changes: { groups: [], total, undecided } });
    const pages = [...changed(29), ...changed(2, { path: '/twice' })];
    expect(title(situation(pages, pending, known(5, 5)))).toBe('5 changes on 30 pages: review required');
    expect(title(situation([...pages, ...fresh(2)], pending, known(5, 5)))).toBe(
      '5 changes on 30 pages, 2 new: review required',
    );
    const approved = changed(3, { approved: true });
    expect(title(situation([...changed(1), ...approved], pending, known(5, 1)))).toBe(
      '1 of 5 changes on 1 page: review required',
    );
    expect(title(situation(changed(2), pending, known(1, 0)))).toBe('2 changed, 0 new, 0 unchanged: review required');
  });

  it('names who approved, and counts those who are left', () => {
    const says = (...names: (string | null)[]) =>
      title(situation(approvedBy(...names), { reviewState: 'APPROVED' })).replace(/^\d+ changes? approved by /, '');
    expect(says('Ada')).toBe('Ada');
    expect(says('Ada', 'Ada')).toBe('Ada');
    expect(says('Ada', 'Bob')).toBe('Ada, Bob');
    expect(says('Ada', 'Bob', 'Cy')).toBe('Ada, Bob and 1 other');
    expect(says(null)).toBe('a reviewer');
    expect(says('Ada Augusta King', 'Bartholomew of the Mountain')).toBe('Ada Augusta King and 1 other');
    expect(title(situation(approvedBy('Ada'), { reviewState: 'APPROVED' }))).toBe('1 change approved by Ada');
  });

  it('counts pages that are new, and pages that differ for another reason', () => {
    expect(title(situation([...fresh(2, '/a'), ...results(3)]))).toBe('No visual changes (1 new page)');
    const behind = changed(2, { cause: 'BEHIND', path: '/b' });
    expect(title(situation([...behind, ...fresh(1)]))).toBe('No changes from this PR (1 page behind) (1 new page)');
    expect(title(situation([...behind, ...fresh(2)]))).toBe('No changes from this PR (1 page behind) (2 new pages)');
    expect(title(situation([...behind, ...changed(1, { cause: 'BEHIND' }), ...changed(1, { cause: 'ENGINE' })]))).toBe(
      'No changes from this PR (3 pages differ)',
    );
  });

  it('counts what is to be reviewed, and what is not', () => {
    const pending = (of: CheckResult[]) => title(situation(of, { reviewState: 'PENDING' }));
    const drifted = changed(2, { cause: 'DRIFT' });
    expect(pending([...changed(3), ...fresh(1), ...drifted, ...results(4)])).toBe(
      '3 changed, 1 new, 4 unchanged, 2 drifted: review required',
    );
    expect(pending(changed(1))).toBe('1 changed, 0 new, 0 unchanged: review required');
    const stacked = changed(1, { cause: 'FROM_PULL_REQUEST', causePullRequest: 12 });
    expect(pending([...changed(1), ...stacked])).toBe('1 changed, 0 new, 0 unchanged, 1 from #12: review required');
    expect(pending([...changed(1), ...stacked, ...drifted, ...changed(1, { cause: 'BEHIND' })])).toBe(
      '1 changed, 0 new, 0 unchanged: review required',
    );
  });

  it('asks for a review of the settings before all else, and says who approved them', () => {
    const loosened = { reviewState: 'PENDING', settingsHash: 'abc' } as const;
    const pending = (of: CheckResult[]) => decideVerdict(situation(of, loosened));
    expect(pending(results(2))).toEqual({
      status: 'completed',
      conclusion: 'action_required',
      title: 'Settings changed: review required (no visual changes)',
    });
    expect(pending(fresh(2)).title).toBe('Settings changed: review required (2 new)');
    expect(pending(approvedBy('Ada')).title).toBe('Settings changed: review required (1 change approved)');
    expect(pending([...changed(3), ...fresh(1)]).title).toBe(
      'Settings and 3 changed, 1 new, 0 unchanged: review required',
    );
    expect(pending(changed(1, { status: 'ERROR' })).conclusion).toBe('failure');
    const approved = { ...loosened, reviewState: 'APPROVED', settingsApprovedAt: new Date() } as const;
    const approvedByAda = { id: 'u1', name: 'Ada', email: null, image: null };
    const settings = {
      differences: [],
      review: 'APPROVED',
      hash: 'abc',
      approvedBy: approvedByAda,
      approvedAt: approved.settingsApprovedAt,
      carriedOver: false,
      looks: [],
      counts: { failing: 0, passing: 0, missing: 0 },
      notCaptured: 0,
    } as const;
    const says = (of: CheckResult[]) =>
      title(situation(of, approved, { settings: { ...settings, differences: [], looks: [] } }));
    expect(says(results(2))).toBe('Settings approved by Ada');
    expect(says(approvedBy('Bob'))).toBe('1 change approved by Bob');
  });

  it('says who requests changes, unless pages could not be captured', () => {
    const author = { id: 'u1', name: 'Ada', email: null, image: null };
    const requests = [{ resultId: null, path: null, viewport: null, author, note: 'Too pale' }];
    const of = situation(changed(1), { reviewState: 'PENDING' }, { requests });
    expect(decideVerdict(of)).toMatchObject({ conclusion: 'action_required', title: 'Changes requested by Ada' });
    expect(title({ ...of, results: [...of.results, ...errors(1)] })).toBe('1 page could not be captured; 1 changed');
  });
});

describe('the verdict on a run that gates nothing', () => {
  const says = (of: CheckSituation, git: Git = { baseBranch: 'dev' }) =>
    decideVerdict(withGit({ ...of, run: { ...of.run, isGated: false } }, git));

  it('is neutral and counts what was found', () => {
    const all = [...changed(2), ...fresh(1), ...results(1, { status: 'ERROR', isNew: true }), ...results(3)];
    expect(says(situation(all))).toEqual({
      status: 'completed',
      conclusion: 'neutral',
      title: 'Not gated (2 changed, 1 new, 1 not captured)',
    });
    expect(says(situation(changed(2))).title).toBe('Not gated: the base is dev (2 changed)');
    const uncounted = [...changed(2, { cause: 'DRIFT' }), ...changed(1, { cause: 'BEHIND' })];
    expect(says(situation(uncounted)).title).toBe('Not gated: the base is dev (2 drifted, 1 behind)');
    const some = [...changed(1), ...changed(1, { cause: 'DRIFT' })];
    expect(says(situation(some)).title).toBe('Not gated: the base is dev (1 changed, 1 drifted)');
    expect(says(situation(results(2))).title).toBe('Not gated: the base is dev (no visual changes)');
    expect(says(situation(results(2)), {}).title).toBe('Not gated: the base is unknown (no visual changes)');
  });

  it('says why there is nothing to count', () => {
    expect(says(situation([])).title).toBe('Not gated: the base is dev (nothing to capture)');
    const early = situation(results(1), { metadata: { reason: 'no_tracked_pages' } });
    expect(says(early).title).toBe('Not gated: the base is dev (no tracked pages)');
    expect(says(situation(changed(1), { status: 'FAILED' })).title).toBe('Not gated: the base is dev (the run failed)');
  });
});

describe('a configuration that the pull request changed', () => {
  const configured = (of: CheckSituation, used: string[] = ['rules']) =>
    title(withGit(of, { configChange: { used, later: [], fromFork: false } }));

  it('is told in the title, which is cut for it', () => {
    expect(configured(situation(results(2)))).toBe('No visual changes; configuration changed');
    const long = configured(situation(approvedBy('Ada Augusta King', 'Bob'), { reviewState: 'APPROVED' }));
    expect(long).toBe('2 changes approved by Ada Augusta Ki…; configuration changed');
    expect(long.length).toBe(60);
  });

  it('is not told where nothing of it was used, nor before the run ended', () => {
    expect(configured(situation(results(2)), [])).toBe('No visual changes');
    expect(configured(situation(results(2), { status: 'RUNNING' }))).toBe('Capturing: 2 of 2 screenshots');
  });
});
