import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { CheckRun } from '../support/github-world.ts';
import { pullRequest, type PullRequest } from '../support/pull-request-events.ts';
import { ADA, pageOf, showBadge, startJourney, type Journey } from '../support/pull-request-journey.ts';

export const LONG_MS = 180_000;
const COLORS = ['#e00', '#0e0', '#00e', '#ee0', '#0ee'];

/** One service for all tests of a file, as each start takes seconds. Each test has a pull request and a color of its own. */
export function onePullRequest() {
  let started: Journey | null = null;
  let current: PullRequest | null = null;
  let tests = 0;

  const journey = (): Journey => {
    if (started === null) throw new Error('The journey starts before the first test');
    return started;
  };
  const pull = (): PullRequest => {
    if (current === null) throw new Error('A test opens its pull request');
    return current;
  };

  beforeAll(async () => {
    started = await startJourney();
  }, LONG_MS);
  afterAll(() => journey().stop(), LONG_MS);
  beforeEach(() => {
    current = pullRequest(journey(), 2 + tests);
    journey().preview.pages.set('/prices', pageOf(COLORS[tests] ?? ''));
    showBadge(journey().preview);
    tests += 1;
  });

  /** GitHub no longer takes the tokens of the installation that the service has. */
  function revokeTokens(): void {
    const { tokens } = journey().github.world;
    for (const [token, person] of tokens) if (person === null) tokens.delete(token);
  }

  /** The only check of a commit, once it says this. */
  async function checkOf(headSha: string, said: string): Promise<CheckRun> {
    const check = await pull().check(headSha, said);
    const { length } = pull().checks(headSha);
    if (length > 1) throw new Error(`There are ${length} checks of ${headSha}`);
    return check;
  }

  const opened = (headSha: string) => pull().event('opened', { headSha });
  const pushed = (before: string, headSha: string, after: number) =>
    pull().event('synchronize', { before, headSha, after });
  const merged = (headSha: string) => pull().event('merged', { headSha, after: 3600, mergeCommitSha: headSha });

  const approve = (check: CheckRun) =>
    journey().api().call('POST', `/test-runs/${check.external_id}/approve-visuals`, { note: 'new price' });

  /** Waits for the version that the pull request made, and expects it to be the only one. The site then shows it, too. */
  async function expectMerged(before: { length: number }): Promise<void> {
    const address = `/baseline-versions?suiteId=${journey().suiteId}&path=/prices`;
    const [newest] = await journey()
      .api()
      .until(address, ([{ prNumber }]) => prNumber === pull().number);
    expect(newest).toMatchObject({
      version: before.length + 1,
      source: 'PR_MERGE',
      approvedBy: { email: ADA.email },
      prNumber: pull().number,
    });
    expect(await journey().versions()).toHaveLength(before.length + 1);
    journey().site.pages.set('/prices', pageOf(COLORS[pull().number - 2] ?? ''));
  }

  return {
    get journey() {
      return journey();
    },
    get pull() {
      return pull();
    },
    revokeTokens,
    checkOf,
    opened,
    pushed,
    merged,
    approve,
    expectMerged,
  };
}
