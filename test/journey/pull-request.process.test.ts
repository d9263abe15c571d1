import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { checkRunDelivery } from '../support/github-deliveries.ts';
import { limitUsedUp, secondaryLimit, serverError, tooManyRequests } from '../support/github-faults.ts';
import type { CheckRun } from '../support/github-world.ts';
import type { PullRequest } from '../support/pull-request-events.ts';
import { pullRequest } from '../support/pull-request-events.ts';
import type { Journey } from '../support/pull-request-journey.ts';
import { ADA, pageOf, showBadge, startJourney } from '../support/pull-request-journey.ts';

const LONG_MS = 180_000;
const COLORS = ['#e00', '#0e0', '#00e', '#ee0', '#0ee'];

/** One service for all, as each start takes seconds. Each test has a pull request and a color of its own. */
let journey: Journey;
let tests = 0;
let pull: PullRequest;

beforeAll(async () => {
  journey = await startJourney();
}, LONG_MS);
afterAll(() => journey.stop(), LONG_MS);
beforeEach(() => {
  pull = pullRequest(journey, 2 + tests);
  journey.preview.pages.set('/prices', pageOf(COLORS[tests] ?? ''));
  showBadge(journey.preview);
  tests += 1;
});

/** GitHub no longer takes the tokens of the installation that the service has. */
function revokeTokens(): void {
  const { tokens } = journey.github.world;
  for (const [token, person] of tokens) if (person === null) tokens.delete(token);
}

/** The only check of a commit, once it says this. */
async function checkOf(headSha: string, said: string): Promise<CheckRun> {
  const check = await pull.check(headSha, said);
  const { length } = pull.checks(headSha);
  if (length > 1) throw new Error(`There are ${length} checks of ${headSha}`);
  return check;
}

const opened = (headSha: string) => pull.event('opened', { headSha });
const pushed = (before: string, headSha: string, after: number) =>
  pull.event('synchronize', { before, headSha, after });
const merged = (headSha: string) => pull.event('merged', { headSha, after: 3600, mergeCommitSha: headSha });

const approve = (check: CheckRun) =>
  journey.api().call('POST', `/test-runs/${check.external_id}/approve-visuals`, { note: 'new price' });

/** Waits for the version that the pull request made, and expects it to be the only one. The site then shows it, too. */
async function expectMerged(before: { length: number }): Promise<void> {
  const address = `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`;
  const [newest] = await journey.api().until(address, ([{ prNumber }]) => prNumber === pull.number);
  expect(newest).toMatchObject({
    version: before.length + 1,
    source: 'PR_MERGE',
    approvedBy: { email: ADA.email },
    prNumber: pull.number,
  });
  expect(await journey.versions()).toHaveLength(before.length + 1);
  journey.site.pages.set('/prices', pageOf(COLORS[pull.number - 2] ?? ''));
}

it(
  'leads a pull request from its first event to a baseline that names who approved it',
  async () => {
    const { github, preview } = journey;
    const before = await journey.versions();
    const head = pull.commit();
    await journey.tell(opened(head));
    const check = await checkOf(head, 'queued');
    expect(check).toMatchObject({ name: 'Pixelgate', head_sha: head });
    expect(check.output?.title).toBe(`Waiting for a preview deployment of ${head.slice(0, 7)}`);

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(pull.deployed(head));
    await checkOf(head, 'in_progress');
    expect(check.output?.title).toMatch(/^Capturing: \d of 2 screenshots$/);
    show();
    await checkOf(head, 'completed/action_required');
    expect(check.output?.title).toBe('1 changed, 0 new, 1 unchanged: review required');
    expect(check.details_url).toContain(check.external_id);
    expect(check.actions?.map((action) => action.identifier)).toEqual(['approve']);

    const crops = [...(check.output?.summary ?? '').matchAll(/https:\/\/pixelgate\.test\/files\/[^)]+/g)];
    expect(crops).toHaveLength(2);
    for (const [crop] of crops) {
      const { pathname, search } = new URL(crop);
      const fetched = await fetch(journey.serviceUrl() + pathname + search);
      expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/webp']);
    }

    await approve(check);
    await checkOf(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
    expect(check.actions).toEqual([]);
    expect(await journey.versions()).toHaveLength(before.length);

    await journey.tell(merged(head));
    await expectMerged(before);
    expect(check.history).toEqual(['queued', 'in_progress', 'completed/action_required', 'completed/success']);

    await journey.api().call('GET', `/code-host/doctor?suiteId=${journey.suiteId}`);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'ends in the same state when events come twice and out of order, and GitHub fails in every way',
  async () => {
    const { github } = journey;
    const before = await journey.versions();
    revokeTokens();
    const [old, head] = [pull.commit(), pull.commit()];
    github.fail('apps/create-installation-access-token', serverError(500));
    github.fail('repos/get-content', { kind: 'cut' }, limitUsedUp(new Date(Date.now() + 2_000)), { kind: 'silence' });
    github.fail('checks/create', { kind: 'drop' }, { kind: 'lost' });
    github.fail('checks/update', tooManyRequests(1), secondaryLimit(1), { kind: 'cut' }, serverError());

    const events = [pull.deployed(head), pushed(old, head, 60), opened(old)];
    for (const event of events) await journey.tell(event, event);
    await journey.tell(pull.deployed(head), merged(head));
    const check = await checkOf(head, 'completed/action_required');
    expect(await journey.versions()).toHaveLength(before.length);

    await approve(check);
    await journey.tell(...events, merged(head));
    await expectMerged(before);
    await checkOf(head, 'completed/success');
    // By now, every fault that was set up has occurred.
    expect(github.faultsLeft()).toBe(0);
    const { testRuns } = await journey.api().call('GET', `/test-runs?testSuiteId=${journey.suiteId}`);
    expect(testRuns.filter((run: any) => run.git?.prNumber === pull.number)).toHaveLength(1);
    expect(pull.checks(old)).toEqual([]);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'goes on where it was when it is killed in a capture, and when what was approved is merged',
  async () => {
    const { github, preview } = journey;
    const before = await journey.versions();
    const head = pull.commit();
    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(opened(head), pull.deployed(head));
    await journey.crash();
    await checkOf(head, 'in_progress');
    show();
    const check = await checkOf(head, 'completed/action_required');

    await journey.tell(checkRunDelivery(github.world, { checkId: check.id, button: 'approve', sender: ADA }));
    await checkOf(head, 'completed/success');
    await journey.tell(merged(head));
    await journey.crash();
    await expectMerged(before);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'follows the pushes of a pull request, and carries an approval over to the same screenshot',
  async () => {
    const { github } = journey;
    const before = await journey.versions();
    const [first, second, third] = [pull.commit(), pull.commit(), pull.commit()];
    await journey.tell(opened(first));
    await checkOf(first, 'queued');
    await journey.tell(pushed(first, second, 60));
    const superseded = await checkOf(first, 'completed/cancelled');
    expect(superseded.output?.title).toBe(`Superseded by ${second.slice(0, 7)}`);

    await journey.tell(pull.deployed(second));
    await approve(await checkOf(second, 'completed/action_required'));
    await checkOf(second, 'completed/success');

    await journey.tell(pushed(second, third, 120), pull.deployed(third));
    const carried = await checkOf(third, 'completed/success');
    expect(carried.output?.summary).toContain('1 screenshot carried over from an earlier approval');
    await journey.tell(merged(third));
    await expectMerged(before);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'waits for nothing where GitHub takes no checks any more, and is there when it does again',
  async () => {
    const { github } = journey;
    const { installation } = github.world;
    const head = pull.commit();
    revokeTokens();
    installation.suspendedAt = '2026-01-05T10:00:00Z';
    await journey.tell(opened(head), pull.deployed(head));
    const address = `/test-runs?testSuiteId=${journey.suiteId}`;
    const isOver = ({ testRuns: [run] }: any) => run.git?.prNumber === pull.number && run.status === 'COMPLETED';
    const { testRuns } = await journey.api().until(address, isOver);
    expect(testRuns[0].reviewState).toBe('PENDING');
    expect(pull.checks(head)).toEqual([]);

    installation.suspendedAt = null;
    await journey.api().call('POST', `/test-runs/${testRuns[0].id}/approve-visuals`);
    const check = await checkOf(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
    const refused = { operation: 'apps/create-installation-access-token', status: 403 };
    expect(github.asked).toContainEqual(expect.objectContaining(refused));
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);
