/** The branch that GitHub creates for a merge queue group. It is named after the last pull request in the group. */
const BRANCH = /^(?:refs\/heads\/)?gh-readonly-queue\/(.+)\/pr-(\d+)-[0-9a-f]+$/;

/** The target branch of the group, and the last pull request in it. Null for any other branch. */
export function parseGroupBranch(ref: string): { baseBranch: string; number: number } | null {
  const [, baseBranch, number] = BRANCH.exec(ref) ?? [];
  return baseBranch === undefined || number === undefined ? null : { baseBranch, number: Number(number) };
}

const MERGE = /^Merge pull request #(\d+) from /;
const SQUASH = /\(#(\d+)\)$/;

/**
 * The pull requests that the commit messages of a group mention, in GitHub's wording for a merge or a squash. Pure.
 */
export function parsePullRequestNumbers(messages: string[]): number[] {
  const numbers = messages.flatMap((message) => {
    const [subject = ''] = message.split('\n', 1);
    const number = (MERGE.exec(subject) ?? SQUASH.exec(subject.trimEnd()))?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(numbers)];
}

export type MergeGroup = { owner: string; repo: string; headSha: string; headRef: string; installationId: number };
