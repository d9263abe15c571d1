import { describe, expect, it } from '@jest/globals';
import type { CheckResult, CheckSituation } from '../../../src/pull-requests/check/check.ts';
import { decideCheck } from '../../../src/pull-requests/check/desired-check.ts';
import type { Assignee } from '../../../src/runs/assignees/assignee-sql.ts';
import { group, links, result, results, situation, variant } from './check-situation.js';

const desired = (of: CheckSituation, notice: string | null = null) => decideCheck(of, notice, links);
const actions = (of: CheckSituation) => desired(of).actions.map(({ identifier }) => identifier.split(':')[0]);

const waiting = { git: { headSha: 'abc1234def', enqueued: false } };
const changed = (count: number) => results(count, { status: 'FAIL', diffScore: 1 });
const approved = (count: number, approverName: string | null) =>
  results(count, { status: 'FAIL', diffScore: 1, approved: true, approverName });
const fresh = (count: number) => results(count, { isNew: true, diffScore: null });
const errors = (count: number, path?: string) =>
  results(count, { status: 'ERROR', currentFile: null, ...(path === undefined ? {} : { path }) });

describe('the check that a run demands', () => {
  it.each<[string, CheckSituation, string, string | null, string]>([
    [
      'no preview yet',
      situation([], { status: 'PENDING', ...waiting }),
      'queued',
      null,
      'Waiting for a preview deployment of abc1234',
    ],
    [
      'queued for a worker',
      situation(results(3, { status: 'PENDING' }), { status: 'PENDING' }),
      'in_progress',
      null,
      'Capturing: 0 of 3 screenshots',
    ],
    [
      'in flight',
      situation([...results(34), ...results(86, { status: 'PENDING' })], { status: 'RUNNING' }),
      'in_progress',
      null,
      'Capturing: 34 of 120 screenshots',
    ],
    [
      'the gate PENDING',
      situation([...changed(7), ...fresh(2), ...results(51)], { reviewState: 'PENDING' }),
      'completed',
      'action_required',
      '7 changed, 2 new, 51 unchanged: review required',
    ],
    [
      'some of it approved',
      situation([...changed(2), ...approved(1, 'Ada')], { reviewState: 'PENDING' }),
      'completed',
      'action_required',
      '3 changed (1 approved), 0 new, 0 unchanged: review required',
    ],
    [
      'all approved',
      situation(approved(7, 'Ada'), { reviewState: 'APPROVED' }),
      'completed',
      'success',
      '7 changes approved by Ada',
    ],
    [
      'approved by several',
      situation([...approved(1, 'Ada'), ...approved(1, 'Bob'), ...approved(2, 'Cy'), ...approved(1, null)], {
        reviewState: 'APPROVED',
      }),
      'completed',
      'success',
      '5 changes approved by Ada, Bob and 2 others',
    ],
    ['nothing changed', situation(results(4)), 'completed', 'success', 'No visual changes'],
    [
      'only new pages',
      situation([...fresh(2), ...results(4)]),
      'completed',
      'success',
      'No visual changes (2 new pages)',
    ],
    [
      'some errors',
      situation([...errors(2, '/a'), ...errors(1, '/b'), ...errors(1, '/c'), ...results(4)]),
      'completed',
      'failure',
      '3 pages could not be captured',
    ],
    [
      'errors beside changes',
      situation([...errors(1), ...changed(2)], { reviewState: 'PENDING' }),
      'completed',
      'failure',
      '1 page could not be captured; 2 changed',
    ],
    [
      'errors beside approved changes',
      situation([...errors(1), ...approved(1, 'Ada')], { reviewState: 'APPROVED' }),
      'completed',
      'failure',
      '1 page could not be captured; 1 changed',
    ],
    [
      'every page an error',
      situation(errors(2), { status: 'FAILED', metadata: { error: 'Every page ended with an error' } }),
      'completed',
      'failure',
      '2 pages could not be captured',
    ],
    [
      'the worker failed',
      situation(results(1), { status: 'FAILED', metadata: { error: 'The run could not be finished' } }),
      'completed',
      'failure',
      'The run failed',
    ],
    [
      'no preview in time',
      situation([], { status: 'FAILED', metadata: { reason: 'preview_timeout' }, ...waiting }),
      'completed',
      'timed_out',
      'No preview deployment arrived',
    ],
    [
      'a login wall',
      situation([], { status: 'FAILED', metadata: { reason: 'preview_unusable', error: 'It asks to sign in' } }),
      'completed',
      'failure',
      'The preview deployment could not be captured',
    ],
    [
      'a broken configuration file',
      situation([], { status: 'FAILED', metadata: { reason: 'config_file', error: 'line 2: paths: [' } }),
      'completed',
      'failure',
      'The configuration file is not valid',
    ],
    [
      'superseded',
      situation([], { status: 'CANCELLED', metadata: { reason: 'superseded', by: 'def5678abc' } }),
      'completed',
      'cancelled',
      'Superseded by def5678',
    ],
    [
      'closed',
      situation([], { status: 'CANCELLED', metadata: { reason: 'pull_request_closed' } }),
      'completed',
      'cancelled',
      'The pull request was closed',
    ],
    [
      'cancelled by a user',
      situation(changed(1), { status: 'CANCELLED', metadata: { reason: 'cancelled by a user' } }),
      'completed',
      'cancelled',
      'Cancelled by a user',
    ],
    [
      'no tracked page',
      situation([], { metadata: { reason: 'no_tracked_pages' } }),
      'completed',
      'neutral',
      'No tracked pages',
    ],
    [
      'only tracked pages that are gone',
      situation([], { status: 'FAILED', metadata: { reason: 'tracked_pages_removed' } }),
      'completed',
      'failure',
      'The last crawl found none of the tracked pages',
    ],
  ])('is right for: %s', (_, of, status, conclusion, title) => {
    expect(desired(of)).toMatchObject({ status, conclusion, title, detailsUrl: links.run });
  });

  it('forgets why a run ended once it is in flight again', () => {
    const of = situation(results(1, { status: 'PENDING' }), {
      status: 'RUNNING',
      metadata: { reason: 'preview_timeout' },
    });
    expect(desired(of).status).toBe('in_progress');
  });
});

describe('the buttons of a check', () => {
  it('offer approval while something is unapproved, and a rerun while there are errors', () => {
    expect(actions(situation([...changed(1), ...errors(1)], { reviewState: 'PENDING' }))).toEqual([
      'approve',
      'rerun_errors',
    ]);
    expect(actions(situation(changed(1), { reviewState: 'PENDING' }))).toEqual(['approve']);
    expect(actions(situation(fresh(1)))).toEqual(['approve']);
    expect(actions(situation(approved(1, 'Ada'), { reviewState: 'APPROVED' }))).toEqual([]);
    expect(actions(situation(errors(1), { status: 'FAILED' }))).toEqual(['rerun_errors']);
    expect(actions(situation(results(2)))).toEqual([]);
  });

  it('are not there while a run is in flight, nor after it was cancelled', () => {
    expect(actions(situation([...changed(1), ...errors(1)], { status: 'RUNNING' }))).toEqual([]);
    expect(actions(situation([...changed(1), ...errors(1)], { status: 'CANCELLED' }))).toEqual([]);
  });

  it('keep to the lengths that GitHub takes', () => {
    const of = situation([...changed(1), ...errors(1)], { reviewState: 'PENDING' });
    for (const { identifier, label, description } of desired(of).actions) {
      expect(identifier.length).toBeLessThanOrEqual(20);
      expect(label.length).toBeLessThanOrEqual(20);
      expect(description.length).toBeLessThanOrEqual(40);
    }
  });
});

describe('the summary of a check', () => {
  it('counts what is no change of the pull request by its reason', () => {
    const uncounted = (count: number, cause: 'DRIFT' | 'BEHIND') => results(count, { status: 'FAIL', cause });
    const of = situation([...uncounted(3, 'DRIFT'), ...uncounted(2, 'BEHIND'), ...results(4)]);
    const { title, conclusion, summary } = desired(of);
    expect([conclusion, title]).toEqual(['success', 'No changes from this PR (3 pages drifted, 2 behind)']);
    expect(summary).toContain('<summary>3 screenshots drifted: the site itself looks like this now</summary>');
    expect(desired(situation(results(4))).summary).not.toContain('<details>');
    const many = situation(uncounted(60, 'DRIFT'));
    expect(desired(many).summary).toContain(`…and 10 more: [see all](${links.run}?section=uncounted&cause=DRIFT).`);
  });

  it('names the pull request that other reasons are about, if it is only one', () => {
    const other = (cause: 'BEHIND' | 'FROM_PULL_REQUEST', causePullRequest: number) =>
      result({ status: 'FAIL', cause, causePullRequest });
    const { title, summary } = desired(situation([other('BEHIND', 812), other('FROM_PULL_REQUEST', 12)]));
    expect(title).toBe('No changes from this PR (1 page behind, 1 from #12)');
    expect(summary).toContain(
      '1 screenshot out of date: it matches the page before #812, which this branch doesn’t have<',
    );
    expect(summary).toContain('the same as in #12, which this one is based on. Review it there<');
    const several = desired(situation([other('BEHIND', 812), other('BEHIND', 813)]));
    expect(several.summary).toContain('they match the page before a merge this branch doesn’t have');
  });

  it('says first what changed by cause, and where', () => {
    const of = situation(changed(2), pending);
    const paths = ['/', '/a|b', '/c'];
    const all = group({ paths });
    const one = group({ element: '', paths: ['/a|b'], viewports: ['mobile'], count: 1, pending: 0, faint: true });
    const { summary } = desired({ ...of, changes: { groups: [all, one], total: 30, undecided: 30 } });
    expect(summary).toContain(
      `**\`nav a.cta\`** \`background #1a7f37 → #0969da\`\\\n3 pages × 2 viewports: \`/\`, \`/a|b\`, \`/c\` · [Review](${links.run}/changes/${all.key})`,
    );
    expect(summary).toContain('`/a|b` at `mobile` · faint · approved · [Review](');
    expect(summary).toContain(`…and 28 more changes: [see all](${links.run}).`);
    expect(summary.indexOf('nav a.cta')).toBeLessThan(summary.indexOf('| Path |'));
  });

  it('folds where a change is with it, and lists beside the changes what has none', () => {
    const one = group();
    const its = results(2, { status: 'FAIL', diffScore: 1, changeIds: [one.key] });
    const { summary } = desired({
      ...situation([...its, ...changed(1)], pending),
      changes: { groups: [one], total: 1, undecided: 1 },
    });
    const [, fold = ''] = /<summary>6 screenshots<\/summary>([^]*?)<\/details>/.exec(summary) ?? [];
    expect(fold).toContain(`(${links.resultUrl(its[0]?.id ?? '')}?change=${one.key})`);
    expect(fold).toContain('…and 4 more screenshots.');
    expect(summary).toContain('<summary>1 screenshot changed</summary>');
  });

  const varied = (count: number, said: Parameters<typeof group>[0] = {}) =>
    group({
      variantCount: count,
      variants: Array.from({ length: Math.min(count, 6) }, (_, at) =>
        variant({ id: `${at}`.padStart(32, '0'), paths: [`/page-${at}`], viewports: ['desktop'], count: 1 }),
      ),
      ...said,
    });

  it('says of a change in how many variants it comes, and shows each with its pages', () => {
    const of = situation(changed(3), pending);
    const { summary, variants } = desired({ ...of, changes: { groups: [group(), varied(8)], total: 2, undecided: 2 } });
    const change = `${links.run}/changes/${group().key}`;
    expect(summary).toContain(`\`/about\` · in 8 variants · [Review](${change})`);
    expect(summary).toContain('1. `/page-0` at `desktop`\n2. `/page-1` at `desktop`\n3. ');
    expect(summary).toContain(`…and 2 more variants: [see all](${change}).`);
    expect(summary).toMatch(/\| Variant \| Before \| After \|\n\| --- \| --- \| --- \|\n\| 1 \| \[!\[Before\]/);
    expect(summary.match(/^\| \d \| /gm)).toHaveLength(6);
    // Only those that it shows, and none of what looks the same everywhere.
    expect(variants).toEqual([group(), varied(8)].flatMap((each) => each.variants.map(({ id }) => id)));
  });

  it('tells the variants only of the groups for which there is room', () => {
    const of = situation(changed(50), pending);
    const long = 'x'.repeat(150);
    const groups = Array.from({ length: 50 }, (_, at) =>
      varied(6, {
        variants: Array.from({ length: 6 }, (__, nth) =>
          variant({ id: `${at}-${nth}`, paths: [1, 2, 3].map((name) => `/${name}/${long}`) }),
        ),
      }),
    );
    const { summary, variants } = desired({ ...of, changes: { groups, total: 50, undecided: 50 } });
    expect(Buffer.byteLength(summary)).toBeLessThan(65_535);
    const told = summary.match(/· in 6 variants/g)?.length ?? 0;
    expect(told).toBeLessThan(50);
    expect(variants).toHaveLength(6 * told);
  });

  const pending = { reviewState: 'PENDING' as const };

  it('lists errors, then changes from the largest, then what is new, each with its deep link', () => {
    const small = result({ status: 'FAIL', diffScore: 0.5 });
    const large = result({ status: 'FAIL', diffScore: 12.25 });
    const fails = result({ status: 'ERROR' });
    const isNew = result({ isNew: true });
    const { summary } = desired(situation([isNew, small, result(), large, fails], pending));
    const rows = summary.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.map((row) => row.split(' | ')[2])).toEqual(['error', '12.3%', '0.50%', 'new']);
    expect(rows.map((row) => /results\/([\w-]+)\)/.exec(row)?.[1])).toEqual(
      [fails, large, small, isNew].map((each) => each.id),
    );
  });

  it('shows 50 rows and says how many more there are', () => {
    const { summary } = desired(situation(changed(61), pending));
    expect(summary.match(/^\| `\//gm)).toHaveLength(50);
    expect(summary).toContain(`…and 11 more: [see all](${links.run}?section=changed)`);
  });

  it('says how many pages go on outside of their screenshots', () => {
    const summary = (of: CheckResult[]) => desired(situation(of)).summary;
    expect(summary([...results(2, { cut: true }), ...results(1)])).toContain(
      '2 screenshots do not show the whole page; the rest was not compared.',
    );
    expect(summary(results(2))).not.toContain('taller than');
  });

  it('says how many tracked pages it leaves out', () => {
    const of = situation(results(2), { metadata: { removedPages: 3 } });
    expect(desired(of).summary).toContain('3 tracked pages left out: not found by the last crawl.');
    expect(desired(situation(results(2))).summary).not.toContain('left out');
  });

  it('says what was approved by carry-over', () => {
    const of = approved(2, 'Ada').map((each) => ({ ...each, carriedOver: true }));
    expect(desired(situation(of, { reviewState: 'APPROVED' })).summary).toContain(
      '2 screenshots carried over from an earlier approval in this pull request.',
    );
  });

  it('quotes why a run came to nothing, and why a button was refused while there are buttons', () => {
    const error = 'line 2: ```\nunexpected "]"';
    const broken = desired(situation([], { status: 'FAILED', metadata: { reason: 'config_file', error } }));
    expect(broken.summary).toContain(`\`\`\`\`text\n${error}\n\`\`\`\``);
    const notice = '@octocat may not approve';
    expect(desired(situation(changed(1), pending), notice).summary).toContain(notice);
    expect(desired(situation(approved(1, 'Ada'), { reviewState: 'APPROVED' }), notice).summary).not.toContain(notice);
  });
});

describe('whom a run waits for', () => {
  const person: Assignee = { id: 'p', name: 'Ada *Lovelace*', email: 'ada@example.com', image: null, login: null };
  const pendingFor = (assignees: Assignee[], reviewState: 'PENDING' | 'APPROVED') =>
    desired(situation(changed(1), { reviewState, assignees })).summary;

  it('is in the summary by their GitHub login, or else by name', () => {
    const people = [{ ...person, login: 'octocat' }, person];
    expect(pendingFor(people, 'PENDING')).toContain('**Waiting for** @octocat, `Ada *Lovelace*`.');
    expect(pendingFor([{ ...person, login: 'not/a login' }], 'PENDING')).toContain('**Waiting for** `Ada');
    const many = Array.from({ length: 12 }, () => person);
    expect(pendingFor(many, 'PENDING')).toContain(' and 2 others.');
  });

  it('is not when nobody was asked, or nothing is left to review', () => {
    expect(pendingFor([], 'PENDING')).not.toContain('Waiting for');
    expect(pendingFor([person], 'APPROVED')).not.toContain('Waiting for');
  });
});
