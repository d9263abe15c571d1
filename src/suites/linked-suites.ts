import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict } from '../errors.ts';
import { checkNames, isNameTaken } from './check-name.ts';
import { findLinkedSuites, lockRepository } from './suite-store.ts';
import type { CodeHostLink, Suite } from './suite.ts';

export type Repository = { owner: string; repo: string };

export type LinkedSuite = { suite: Suite; checkName: string };

/** The active suites that are linked to a repository (contract 7.8), each with a check name of its own. */
export async function linkedSuites(
  ctx: Pick<Context, 'db' | 'config'>,
  repository: Repository,
): Promise<LinkedSuite[]> {
  const suites = await findLinkedSuites(ctx.db, repository);
  const names = checkNames(suites, ctx.config.checkName);
  return suites
    .filter((suite) => suite.isActive)
    .map((suite) => ({ suite, checkName: names.get(suite.id) ?? ctx.config.checkName }));
}

/**
 * The link as it is to be stored, in the transaction that stores it: links to one repository take turns, and where the
 * default name of the check is taken the suite is given one of its own, which stays when the other suite goes.
 * @throws AppError conflict when the name that was asked for is another suite's.
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
    throw conflict(
      `Another suite of this repository already uses the check name ${link.checkContext}`,
      'check_name_taken',
    );
  }
  const name = checkNames([...others, { ...suite, codehost: link }], checkName).get(suite.id);
  return name === undefined || name === checkName ? link : { ...link, checkContext: name };
}
