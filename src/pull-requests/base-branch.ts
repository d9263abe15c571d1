import { matchesGlobs } from '../text/globs.ts';

/**
 * Whether a suite gates pull requests into this branch (docs/rules.md, Pull requests). Without globs it gates those
 * into the default branch, and all of them until webhooks have told which branch that is. Pure.
 */
export function isGatedBase(
  { baseBranches }: { baseBranches: readonly string[] | null },
  branch: string,
  defaultBranch: string | null,
): boolean {
  if (baseBranches !== null) return matchesGlobs(baseBranches, branch);
  return defaultBranch === null || branch === defaultBranch;
}
