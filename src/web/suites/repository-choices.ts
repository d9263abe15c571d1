import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { listInstallations } from '../../github/sign-in/list-linkable.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { describeGitHubFailure } from '../describe-github-failure.ts';
import type { Field } from '../form-field.ts';
import { checkContextField, choiceValue } from './link-form.ts';

type Group = { account: string; repositories: { value: string; label: string; selected: boolean }[] };

/** The repositories that can be linked, by account. `failure` says why GitHub did not list them. */
export type RepositoryChoices = { groups: Group[]; failure: string | null; checkContext: Field };

async function readChoiceGroups(ctx: Context, viewer: Viewer, { codehost }: SuiteForViewer): Promise<Group[]> {
  const linked = codehost === null ? null : `${codehost.owner}/${codehost.repo}`.toLowerCase();
  return (await listInstallations(ctx, viewer)).map(({ installationId, accountLogin, repos }) => ({
    account: accountLogin,
    repositories: repos.map((fullName) => ({
      value: choiceValue(installationId, fullName),
      label: fullName,
      selected: fullName.toLowerCase() === linked,
    })),
  }));
}

/** Never throws when GitHub fails: people can still enter a repository manually. */
export async function repositoryChoices(
  ctx: Context,
  viewer: Viewer,
  suite: SuiteForViewer,
): Promise<RepositoryChoices> {
  const checkContext = checkContextField(suite, ctx.config.checkName, null);
  try {
    const groups = (await readChoiceGroups(ctx, viewer, suite)).filter(({ repositories }) => repositories.length > 0);
    return { groups, failure: null, checkContext };
  } catch (error) {
    ctx.log.warn({ err: error, suiteId: suite.id }, 'GitHub did not return the list of repositories');
    return { groups: [], failure: describeGitHubFailure(error), checkContext };
  }
}
