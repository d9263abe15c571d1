import { expect, it } from '@jest/globals';
import { showBadge } from '../support/pull-request-journey.ts';
import { LONG_MS, onePullRequest } from './one-pull-request.ts';

const one = onePullRequest();
const { approve, checkOf, expectMerged, merged, opened, pushed, revokeTokens } = one;

it(
  'leads a pull request from its first event to a baseline that names who approved it',
  async () => {
    const { github, preview } = one.journey;
    const before = await one.journey.versions();
    const head = one.pull.commit();
    await one.journey.tell(opened(head));
    const check = await checkOf(head, 'queued');
    expect(check).toMatchObject({ name: 'Pixelgate', head_sha: head });
    expect(check.output?.title).toBe(`Waiting for a preview deployment of ${head.slice(0, 7)}`);

    let show = (): void => {};
    showBadge(preview, new Promise((resolve) => (show = resolve)));
    await one.journey.tell(one.pull.deployed(head));
    await checkOf(head, 'in_progress');
    expect(check.output?.title).toMatch(/^Capturing: \d of 2 screenshots$/);
    show();
    await checkOf(head, 'completed/action_required');
    expect(check.output?.title).toBe('1 change on 1 page: review required');
    expect(check.details_url).toContain(check.external_id);
    expect(check.actions?.map((action) => action.identifier)).toEqual([expect.stringMatching(/^approve:/)]);

    const crops = [...(check.output?.summary ?? '').matchAll(/https:\/\/pixelgate\.test\/files\/[^)]+/g)];
    expect(crops).toHaveLength(2);
    for (const [crop] of crops) {
      const { pathname, search } = new URL(crop);
      const fetched = await fetch(one.journey.serviceUrl() + pathname + search);
      expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/webp']);
    }

    await approve(check);
    await checkOf(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
    expect(check.actions).toEqual([]);
    expect(await one.journey.versions()).toHaveLength(before.length);

    await one.journey.tell(merged(head));
    await expectMerged(before);
    expect(check.history).toEqual(['queued', 'in_progress', 'completed/action_required', 'completed/success']);

    await one.journey.api().call('GET', `/code-host/doctor?suiteId=${one.journey.suiteId}`);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'follows the pushes of a pull request, and carries an approval over to the same screenshot',
  async () => {
    const { github } = one.journey;
    const before = await one.journey.versions();
    const [first, second, third] = [one.pull.commit(), one.pull.commit(), one.pull.commit()];
    await one.journey.tell(opened(first));
    await checkOf(first, 'queued');
    await one.journey.tell(pushed(first, second, 60));
    const superseded = await checkOf(first, 'completed/cancelled');
    expect(superseded.output?.title).toBe(`Superseded by ${second.slice(0, 7)}`);

    await one.journey.tell(one.pull.deployed(second));
    await approve(await checkOf(second, 'completed/action_required'));
    await checkOf(second, 'completed/success');

    await one.journey.tell(pushed(second, third, 120), one.pull.deployed(third));
    const carried = await checkOf(third, 'completed/success');
    expect(carried.output?.summary).toContain('1 screenshot carried over from an earlier approval');
    await one.journey.tell(merged(third));
    await expectMerged(before);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'waits for nothing where GitHub takes no checks any more, and is there when it does again',
  async () => {
    const { github } = one.journey;
    const { installation } = github.world;
    const head = one.pull.commit();
    revokeTokens();
    installation.suspendedAt = '2026-01-05T10:00:00Z';
    await one.journey.tell(opened(head), one.pull.deployed(head));
    const address = `/test-runs?testSuiteId=${one.journey.suiteId}`;
    const isOver = ({ testRuns: [run] }: any) => run.git?.prNumber === one.pull.number && run.status === 'COMPLETED';
    const { testRuns } = await one.journey.api().until(address, isOver);
    expect(testRuns[0].reviewState).toBe('PENDING');
    expect(one.pull.checks(head)).toEqual([]);

    installation.suspendedAt = null;
    await one.journey.api().call('POST', `/test-runs/${testRuns[0].id}/approve-visuals`);
    const check = await checkOf(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
    const refused = { operation: 'apps/create-installation-access-token', status: 403 };
    expect(github.asked).toContainEqual(expect.objectContaining(refused));
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);
