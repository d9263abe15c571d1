import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { checkNames, isNameTaken } from './check-name.ts';
import { setRepositoryId } from './repository-store.ts';
import { findLinkedSuites, lockRepository } from './suite-store.ts';
import type { CodeHostLink, Suite } from './suite.ts';

export type Repository = { owner: string; repo: string };

export type LinkedSuite = { suite: Suite; checkName: string };

/** Whether a repository has a check over all of its suites. It then has the default name. */
export const hasSummaryCheck = (suites: readonly Pick<Suite, 'isActive' | 'config'>[]): boolean =>
  suites.some(({ isActive, config }) => isActive && config.summaryCheck);

/** The active suites that are linked to a repository (docs/rules.md, Pull requests), each with a unique check name. */
export async function linkedSuites(
  ctx: Pick<Context, 'db' | 'config'>,
  repository: Repository,
): Promise<LinkedSuite[]> {
  const suites = await findLinkedSuites(ctx.db, repository);
  const names = checkNames(suites, ctx.config.checkName, hasSummaryCheck(suites));
  return suites
    .filter((suite) => suite.isActive)
    .map((suite) => ({ suite, checkName: names.get(suite.id) ?? ctx.config.checkName }));
}

/**
 * Prepares a link for storing, in the same transaction, so that links to one repository are made one at a time. If the
 * default check name is taken, the link gets another one. It keeps that name even if the other suite is deleted.
 * @throws AppError conflict when another suite already has the requested check name.
 */
export async function chooseCheckName(
  trx: Db,
  { checkName }: Context['config'],
  suite: { id: string; name: string },
  link: CodeHostLink,
): Promise<CodeHostLink> {
  await lockRepository(trx, link);
  const others = (await findLinkedSuites(trx, link)).filter((other) => other.id !== suite.id);
  if (link.checkContext !== undefined && isNameTaken(others, checkName, link.checkContext)) {
    throw new AppError(
      'conflict',
      `Another suite of this repository already uses the check name ${link.checkContext}`,
      {
        code: 'check_name_taken',
        issues: [{ path: 'codehost.checkContext', message: 'is already used by another suite of this repository' }],
      },
    );
  }
  const name = checkNames([...others, { ...suite, codehost: link }], checkName).get(suite.id);
  return name === undefined || name === checkName ? link : { ...link, checkContext: name };
}

/**
 * Stores a repository's number, as the code host sent it, in links that lack it. A known number is never replaced,
 * because another repository that gets the name later must not get the links.
 * @param told.fullName `owner/repo`, whatever its case
 */
export async function recordRepositoryId(
  trx: Db,
  told: { fullName: string; installationId: number; id: number },
): Promise<void> {
  const [owner = '', repo = ''] = told.fullName.split('/');
  await setRepositoryId(trx, { owner, repo }, told);
}
