import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { checkRunDelivery, deploymentDelivery, pullRequestDelivery } from '../support/github-deliveries.ts';
import { limitUsedUp, secondaryLimit, serverError, tooManyRequests } from '../support/github-faults.ts';
import type { CheckRun } from '../support/github-world.ts';
import { newCommit } from '../support/github-world.ts';
import type { Journey } from '../support/pull-request-journey.ts';
import { ADA, pageOf, showBadge, startJourney } from '../support/pull-request-journey.ts';

const NUMBER = 2;
const LONG_MS = 180_000;

let journey: Journey;

beforeEach(async () => {
  journey = await startJourney();
  journey.preview.pages.set('/prices', pageOf('#e00'));
}, LONG_MS);
afterEach(() => journey.stop(), LONG_MS);

const opened = (headSha: string) => pullRequestDelivery(journey.github.world, 'opened', { number: NUMBER, headSha });
const pushed = (before: string, headSha: string, after: number) =>
  pullRequestDelivery(journey.github.world, 'synchronize', { number: NUMBER, before, headSha, after });
const merged = (headSha: string) =>
  pullRequestDelivery(journey.github.world, 'merged', {
    number: NUMBER,
    headSha,
    after: 3600,
    mergeCommitSha: headSha,
  });
const deployed = (sha: string) => deploymentDelivery(journey.github.world, { sha, url: journey.preview.origin });

/** The only check of a commit, once it says this. */
async function checkOf(headSha: string, said: string): Promise<CheckRun> {
  const checks = () => journey.github.world.checks.filter((check) => check.head_sha === headSha);
  await journey.github.until(() => checks().some((check) => check.history.at(-1) === said));
  const [check, ...others] = checks();
  if (check === undefined || others.length > 0) throw new Error(`There are ${others.length + 1} checks of ${headSha}`);
  return check;
}

const approve = (check: CheckRun) =>
  journey.api().call('POST', `/test-runs/${check.external_id}/approve-visuals`, { note: 'new price' });

async function mergedVersions(): Promise<unknown[]> {
  const { suiteId } = journey;
  const address = `/baseline-versions?suiteId=${suiteId}&path=/prices`;
  const versions = await journey.api().until(address, (all) => all.length > 1);
  return versions.map((each: any) => [each.version, each.source, each.approvedBy?.email ?? null, each.prNumber]);
}

const FIRST = [1, 'INITIAL', null, null];
const SECOND = [2, 'PR_MERGE', ADA.email, NUMBER];

it(
  'leads a pull request from its first event to a baseline that names who approved it',
  async () => {
    const { github, preview } = journey;
    const head = newCommit(github.world, 'a red price');
    await journey.tell(opened(head));
    const check = await checkOf(head, 'queued');
    expect(check).toMatchObject({ name: 'Pixelgate', head_sha: head });
    expect(check.output?.title).toBe(`Waiting for a preview deployment of ${head.slice(0, 7)}`);

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(deployed(head));
    await checkOf(head, 'in_progress');
    expect(check.output?.title).toMatch(/^Capturing: \d of 2 screenshots$/);
    show();
    await checkOf(head, 'completed/action_required');
    expect(check.output?.title).toBe('1 changed, 0 new, 1 unchanged: review required');
    expect(check.details_url).toContain(check.external_id);
    expect(check.actions?.map((action) => action.identifier)).toEqual(['approve']);

    const [screenshot = ''] = /https:\/\/pixelgate\.test\/files\/[^)]+/.exec(check.output?.summary ?? '') ?? [];
    const { pathname, search } = new URL(screenshot);
    const fetched = await fetch(journey.serviceUrl() + pathname + search);
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);

    await approve(check);
    await checkOf(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
    expect(check.actions).toEqual([]);
    expect(await journey.versions()).toHaveLength(1);

    await journey.tell(merged(head));
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
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
    const old = newCommit(github.world, 'a first try');
    const head = newCommit(github.world, 'a second try');
    github.fail('apps/create-installation-access-token', serverError(500));
    github.fail('repos/get-content', { kind: 'cut' }, limitUsedUp(new Date(Date.now() + 2_000)), { kind: 'silence' });
    github.fail('checks/create', { kind: 'drop' }, { kind: 'lost' });
    github.fail('checks/update', tooManyRequests(1), secondaryLimit(1), { kind: 'cut' }, serverError());

    const events = [deployed(head), pushed(old, head, 60), opened(old)];
    for (const event of events) await journey.tell(event, event);
    await journey.tell(deployed(head), merged(head));
    const check = await checkOf(head, 'completed/action_required');
    expect(await journey.versions()).toHaveLength(1);

    await approve(check);
    await journey.tell(...events, merged(head));
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
    await checkOf(head, 'completed/success');
    // By now, every fault that was set up has occurred.
    expect(github.faultsLeft()).toBe(0);
    const { testRuns } = await journey.api().call('GET', `/test-runs?testSuiteId=${journey.suiteId}`);
    expect(testRuns.filter((run: any) => run.runType === 'PR')).toHaveLength(1);
    expect(github.world.checks).toHaveLength(1);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'goes on where it was when it is killed after every step',
  async () => {
    const { github, preview } = journey;
    const head = newCommit(github.world, 'a green price');
    await journey.tell(opened(head));
    await journey.crash();
    await checkOf(head, 'queued');

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(deployed(head));
    await journey.crash();
    await checkOf(head, 'in_progress');
    await journey.crash();
    show();
    const check = await checkOf(head, 'completed/action_required');
    await journey.crash();

    await journey.tell(checkRunDelivery(github.world, { checkId: check.id, button: 'approve', sender: ADA }));
    await journey.crash();
    await checkOf(head, 'completed/success');
    await journey.tell(merged(head));
    await journey.crash();
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'follows the pushes of a pull request, and carries an approval over to the same screenshot',
  async () => {
    const { github } = journey;
    const [first, second, third] = ['first', 'second', 'third'].map((text) => newCommit(github.world, text));
    if (first === undefined || second === undefined || third === undefined) throw new Error('A commit is missing');
    await journey.tell(opened(first));
    await checkOf(first, 'queued');
    await journey.tell(pushed(first, second, 60));
    const superseded = await checkOf(first, 'completed/cancelled');
    expect(superseded.output?.title).toBe(`Superseded by ${second.slice(0, 7)}`);

    await journey.tell(deployed(second));
    await approve(await checkOf(second, 'completed/action_required'));
    await checkOf(second, 'completed/success');

    await journey.tell(pushed(second, third, 120), deployed(third));
    const carried = await checkOf(third, 'completed/success');
    expect(carried.output?.summary).toContain('1 screenshot carried over from an earlier approval');
    await journey.tell(merged(third));
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'waits for nothing where GitHub takes no checks any more, and is there when it does again',
  async () => {
    const { github } = journey;
    const { installation } = github.world;
    const head = newCommit(github.world, 'suspended meanwhile');
    installation.suspendedAt = '2026-01-05T10:00:00Z';
    await journey.tell(opened(head), deployed(head));
    const address = `/test-runs?testSuiteId=${journey.suiteId}`;
    const isOver = ({ testRuns: [run] }: any) => run.runType === 'PR' && run.status === 'COMPLETED';
    const { testRuns } = await journey.api().until(address, isOver);
    expect(testRuns[0].reviewState).toBe('PENDING');
    expect(github.world.checks).toEqual([]);

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
