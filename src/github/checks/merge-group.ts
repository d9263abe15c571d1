/** The branch that GitHub makes for a group of the merge queue, named after the last pull request in it. */
const BRANCH = /^(?:refs\/heads\/)?gh-readonly-queue\/(.+)\/pr-(\d+)-[0-9a-f]+$/;

/** The branch that the group is to be merged into, and the last pull request in it; null for any other branch. */
export function parseGroupBranch(ref: string): { baseBranch: string; number: number } | null {
  const [, baseBranch, number] = BRANCH.exec(ref) ?? [];
  return baseBranch === undefined || number === undefined ? null : { baseBranch, number: Number(number) };
}

const MERGE = /^Merge pull request #(\d+) from /;
const SQUASH = /\(#(\d+)\)$/;

/** The pull requests that a group's commits say they bring, in GitHub's words for a merge or a squash. Pure. */
export function pullRequestsOf(messages: string[]): number[] {
  const numbers = messages.flatMap((message) => {
    const [subject = ''] = message.split('\n', 1);
    const number = (MERGE.exec(subject) ?? SQUASH.exec(subject.trimEnd()))?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(numbers)];
}

export type MergeGroup = { owner: string; repo: string; headSha: string; headRef: string; installationId: number };
