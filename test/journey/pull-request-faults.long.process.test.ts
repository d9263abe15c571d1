import { expect, it } from '@jest/globals';
import { checkRunDelivery } from '../support/github-deliveries.ts';
import { limitUsedUp, secondaryLimit, serverError, tooManyRequests } from '../support/github-faults.ts';
import { ADA, showBadge } from '../support/pull-request-journey.ts';
import { LONG_MS, onePullRequest } from './one-pull-request.ts';

const one = onePullRequest();
const { approve, checkOf, expectMerged, merged, opened, pushed, revokeTokens } = one;

it(
  'ends in the same state when events come twice and out of order, and GitHub fails in every way',
  async () => {
    const { github } = one.journey;
    const before = await one.journey.versions();
    revokeTokens();
    const [old, head] = [one.pull.commit(), one.pull.commit()];
    github.fail('apps/create-installation-access-token', serverError(500));
    github.fail('repos/get-content', { kind: 'cut' }, limitUsedUp(new Date(Date.now() + 2_000)), { kind: 'silence' });
    github.fail('checks/create', { kind: 'drop' }, { kind: 'lost' });
    github.fail('checks/update', tooManyRequests(1), secondaryLimit(1), { kind: 'cut' }, serverError());

    const events = [one.pull.deployed(head), pushed(old, head, 60), opened(old)];
    for (const event of events) await one.journey.tell(event, event);
    await one.journey.tell(one.pull.deployed(head), merged(head));
    const check = await checkOf(head, 'completed/action_required');
    expect(await one.journey.versions()).toHaveLength(before.length);

    await approve(check);
    await one.journey.tell(...events, merged(head));
    await expectMerged(before);
    await checkOf(head, 'completed/success');
    // By now, every fault that was set up has occurred.
    expect(github.faultsLeft()).toBe(0);
    const { testRuns } = await one.journey.api().call('GET', `/test-runs?testSuiteId=${one.journey.suiteId}`);
    expect(testRuns.filter((run: any) => run.git?.prNumber === one.pull.number)).toHaveLength(1);
    expect(one.pull.checks(old)).toEqual([]);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'goes on where it was when it is killed in a capture, and when what was approved is merged',
  async () => {
    const { github, preview } = one.journey;
    const before = await one.journey.versions();
    const head = one.pull.commit();
    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await one.journey.tell(opened(head), one.pull.deployed(head));
    await one.journey.crash();
    await checkOf(head, 'in_progress');
    show();
    const check = await checkOf(head, 'completed/action_required');

    await one.journey.tell(checkRunDelivery(github.world, { checkId: check.id, button: 'approve', sender: ADA }));
    await checkOf(head, 'completed/success');
    await one.journey.tell(merged(head));
    await one.journey.crash();
    await expectMerged(before);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);
