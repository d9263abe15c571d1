import { deploymentDelivery, pullRequestDelivery, type Delivery, type PullRequestSaid } from './github-deliveries.ts';
import { newCommit, type CheckRun } from './github-world.ts';
import type { Journey } from './pull-request-journey.ts';

type Action = Parameters<typeof pullRequestDelivery>[1];

/** The events of one pull request, and its checks. */
export type PullRequest = {
  number: number;
  /** Adds a commit with these files. */
  commit(files?: Record<string, string>): string;
  event(action: Action, said: Omit<PullRequestSaid, 'number'>): Delivery;
  deployed(headSha: string, url?: string): Delivery;
  /** All checks of a commit, oldest first. */
  checks(headSha: string): CheckRun[];
  /** The newest check of a commit with this name, once it has this status. */
  check(headSha: string, said: string, name?: string): Promise<CheckRun>;
};

export function pullRequest(journey: Journey, number: number): PullRequest {
  const { world } = journey.github;
  const checks = (headSha: string) => world.checks.filter((check) => check.head_sha === headSha);
  let commits = 0;
  return {
    number,
    commit(files) {
      commits += 1;
      return newCommit(world, `commit ${commits} of pull request ${number}`, files);
    },
    event: (action, said) => pullRequestDelivery(world, action, { number, ...said }),
    deployed: (sha, url = journey.preview.origin) => deploymentDelivery(world, { sha, url }),
    checks,
    async check(headSha, said, name = 'Pixelgate') {
      const newest = () => checks(headSha).findLast((check) => check.name === name);
      await journey.github.until(() => newest()?.history.at(-1) === said);
      const check = newest();
      if (check === undefined) throw new Error(`There is no check ${name} of ${headSha}`);
      return check;
    },
  };
}
