import { isGone, type GitHub } from '../app/github-client.ts';
import type { BranchRules, RequiredCheck } from './doctor-facts.ts';

type Repository = { owner: string; repo: string };

/** Answers `none` when GitHub has no such thing: an empty repository has no branch, some plans have no rulesets. */
async function orElse<T>(none: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isGone(error)) return none;
    throw error;
  }
}

/** The rules from the rulesets of the repository and its organization. */
async function rulesets(github: GitHub, repository: Repository, branch: string): Promise<Omit<BranchRules, 'branch'>> {
  const rules = await github.paginate(github.rest.repos.getBranchRules, { ...repository, branch, per_page: 100 });
  const required = rules.flatMap((rule) =>
    rule.type === 'required_status_checks' ? (rule.parameters?.required_status_checks ?? []) : [],
  );
  return {
    required: required.map(({ context, integration_id: appId }) => ({ context, appId: appId ?? null })),
    mergeQueue: rules.some((rule) => rule.type === 'merge_queue'),
  };
}

/** The checks that classic branch protection requires. Only administrators can read its other settings. */
async function protection(github: GitHub, repository: Repository, branch: string): Promise<RequiredCheck[]> {
  const { data } = await github.rest.repos.getBranch({ ...repository, branch });
  const required = data.protection?.required_status_checks;
  if (data.protection?.enabled === false || required === undefined) return [];
  const checks = (required.checks ?? []).map(({ context, app_id: appId }) => ({ context, appId }));
  const others = (required.contexts ?? []).filter((context) => !checks.some((check) => check.context === context));
  return [...checks, ...others.map((context) => ({ context, appId: null }))];
}

/** GitHub writes -1 for any App. */
const anySource = (check: RequiredCheck): RequiredCheck => (check.appId === -1 ? { ...check, appId: null } : check);

const NO_RULES = { required: [], mergeQueue: false };

/**
 * What the default branch requires before a merge. Throws an error that `isGone` recognizes when we can't see the
 * repository.
 */
export async function readBranchRules(github: GitHub, repository: Repository): Promise<BranchRules> {
  const { data } = await github.rest.repos.get(repository);
  const branch = data.default_branch;
  const { required, mergeQueue } = await orElse(NO_RULES, async () => rulesets(github, repository, branch));
  const classic = await orElse([], async () => protection(github, repository, branch));
  return { branch, required: [...required, ...classic].map(anySource), mergeQueue };
}
