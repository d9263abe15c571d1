import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { checkRunDelivery, deploymentDelivery, pullRequestDelivery } from '../support/github-deliveries.ts';
import { secondaryLimit, serverError, tooManyRequests } from '../support/github-faults.ts';
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
const merged = (headSha: string) =>
  pullRequestDelivery(journey.github.world, 'merged', {
    number: NUMBER,
    headSha,
    after: 3600,
    mergeCommitSha: headSha,
  });
const deployed = (sha: string) => deploymentDelivery(journey.github.world, { sha, url: journey.preview.origin });

/** The only check there is, once it says so. */
async function checkThatIs(said: string): Promise<CheckRun> {
  const last = () => journey.github.world.checks.at(-1)?.history.at(-1);
  await journey.github.until(() => last() === said);
  const [check, ...others] = journey.github.world.checks;
  if (check === undefined || others.length > 0) throw new Error(`There are ${others.length + 1} checks`);
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
    const check = await checkThatIs('queued');
    expect(check).toMatchObject({ name: 'Pixelgate', head_sha: head });
    expect(check.output?.title).toBe(`Waiting for a preview deployment of ${head.slice(0, 7)}`);

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(deployed(head));
    await checkThatIs('in_progress');
    expect(check.output?.title).toMatch(/^Capturing: \d of 2 screenshots$/);
    show();
    await checkThatIs('completed/action_required');
    expect(check.output?.title).toBe('1 changed, 0 new, 1 unchanged: review required');
    expect(check.details_url).toContain(check.external_id);
    expect(check.actions?.map((action) => action.identifier)).toEqual(['approve']);

    const [picture = ''] = /https:\/\/pixelgate\.test\/files\/[^)]+/.exec(check.output?.summary ?? '') ?? [];
    const { pathname, search } = new URL(picture);
    const fetched = await fetch(journey.serviceUrl() + pathname + search);
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);

    await approve(check);
    await checkThatIs('completed/success');
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
    github.fail('repos/get-content', { kind: 'cut' });
    github.fail('checks/create', { kind: 'drop' }, { kind: 'lost' });
    github.fail('checks/update', tooManyRequests(1), secondaryLimit(1), { kind: 'cut' }, serverError());

    const pushed = pullRequestDelivery(github.world, 'synchronize', {
      number: NUMBER,
      before: old,
      headSha: head,
      after: 60,
    });
    const events = [deployed(head), pushed, opened(old)];
    await journey.tell(...events, ...events);
    await journey.tell(deployed(head), merged(head));
    const check = await checkThatIs('completed/action_required');
    expect(check.head_sha).toBe(head);
    expect(await journey.versions()).toHaveLength(1);

    await approve(check);
    await journey.tell(...events, merged(head));
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
    await checkThatIs('completed/success');
    const { testRuns } = await journey.api().call('GET', `/test-runs?testSuiteId=${journey.suiteId}`);
    expect(testRuns.filter((run: any) => run.runType === 'PR')).toHaveLength(1);
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
    await checkThatIs('queued');

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await journey.tell(deployed(head));
    await journey.crash();
    await checkThatIs('in_progress');
    await journey.crash();
    show();
    const check = await checkThatIs('completed/action_required');
    await journey.crash();

    await journey.tell(checkRunDelivery(github.world, { checkId: check.id, button: 'approve', sender: ADA }));
    await journey.crash();
    await checkThatIs('completed/success');
    await journey.tell(merged(head));
    await journey.crash();
    expect(await mergedVersions()).toEqual([SECOND, FIRST]);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);
