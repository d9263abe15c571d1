import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pullRequest } from '../support/pull-request-events.ts';
import { pageOf, startJourney, type Journey } from '../support/pull-request-journey.ts';

/* A pull request is approved, and its approval undone, at the moment of its merge, by a service with two worker threads. */

const LONG_MS = 1_200_000;
const ROUNDS = Number(process.env['ROUNDS'] ?? 10);

let journey: Journey;
let pulls = 0;

beforeAll(async () => {
  journey = await startJourney({ WORKER_THREADS: '2' });
}, LONG_MS);
afterAll(() => journey.stop(), LONG_MS);

/** A pull request that changes a page and awaits its review. */
async function openPullRequest() {
  pulls += 1;
  const pull = pullRequest(journey, 100 + pulls);
  const color = `#${(0x100000 + pulls * 0x31111).toString(16).slice(-6)}`;
  journey.preview.pages.set('/prices', pageOf(color));
  const before = await journey.versions();
  const head = pull.commit();
  await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
  const check = await pull.check(head, 'completed/action_required');
  const merged = pull.event('merged', { headSha: head, after: 3600, mergeCommitSha: head });
  return { pull, head, before, color, merged, run: `/test-runs/${check.external_id}` };
}

const versionsOf = (suiteId: string) => `/baseline-versions?suiteId=${suiteId}&path=/prices`;
const numbers = (versions: { version: number }[]) => versions.map(({ version }) => version);
const downFrom = (length: number) => Array.from({ length }, (_, index) => length - index);

it(
  'an approval at the moment of the merge becomes one version',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { pull, head, before, color, merged, run } = await openPullRequest();
      const approve = () => journey.api().call('POST', `${run}/approve-visuals`, {});
      const outcomes = await Promise.allSettled([journey.tell(merged), approve(), approve(), journey.tell(merged)]);
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
      await journey.api().until(versionsOf(journey.suiteId), ([newest]) => newest.prNumber === pull.number);
      await pull.check(head, 'completed/success');
      expect(numbers(await journey.versions())).toEqual(downFrom(before.length + 1));
      journey.site.pages.set('/prices', pageOf(color));
    }
  },
  LONG_MS,
);

it(
  'an undo at the moment of the merge leaves the baseline that the gate says',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { pull, head, before, color, merged, run } = await openPullRequest();
      const decide = (decision: string) => journey.api().call('POST', `${run}/verdicts`, { decision });
      await decide('approve');
      await pull.check(head, 'completed/success');
      await Promise.allSettled([journey.tell(merged), decide('undo')]);
      // Whatever came first: approved once more, it is a version.
      const { reviewState } = await journey.api().call('GET', run);
      if (reviewState === 'PENDING') await decide('approve');
      await journey.api().until(versionsOf(journey.suiteId), ([newest]) => newest.prNumber === pull.number);
      await pull.check(head, 'completed/success');
      const after = await journey.versions();
      expect(numbers(after)).toEqual(downFrom(after.length));
      // The merge made a version, the undo took it back, the second approval made it again: or some of that.
      expect([1, 3]).toContain(after.length - before.length);
      journey.site.pages.set('/prices', pageOf(color));
    }
  },
  LONG_MS,
);
