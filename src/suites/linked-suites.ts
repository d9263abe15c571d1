import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findLinkedSuites, lockRepository } from './suite-store.ts';
import type { CodeHostLink, RepositoryName, Suite, SuiteOfRepository } from './suite.ts';

/** The fields of a suite that decide the check names of its repository. */
type NamedSuite = { id: string; name: string; codehost: Pick<CodeHostLink, 'checkContext'> };

/** In branch rules, GitHub treats check names that differ only in case as one. */
const normalizeCheckName = (name: string) => name.trim().toLowerCase();

function derivedName(taken: Set<string>, defaultName: string, suiteName: string): string {
  const derived = `${defaultName} / ${suiteName}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? derived : `${derived} (${number})`;
    if (!taken.has(normalizeCheckName(name))) return name;
  }
}

/**
 * A unique check name for each suite. A name that was set is used as it is. The first of the other suites gets the
 * default name, the rest get `<default> / <suite>` (docs/rules.md, Pull requests). Depends on the order of the suites.
 * Pure.
 * @param isDefaultTaken the check over all suites has the default name
 */
export function checkNames(
  suites: readonly NamedSuite[],
  defaultName: string,
  isDefaultTaken = false,
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>(isDefaultTaken ? [normalizeCheckName(defaultName)] : []);
  const give = (suite: NamedSuite, name: string) => {
    names.set(suite.id, name);
    taken.add(normalizeCheckName(name));
  };
  for (const suite of suites) {
    const set = suite.codehost.checkContext;
    if (set !== undefined && !taken.has(normalizeCheckName(set))) give(suite, set);
  }
  for (const suite of suites.filter((each) => !names.has(each.id))) {
    const wanted = suite.codehost.checkContext ?? defaultName;
    give(suite, taken.has(normalizeCheckName(wanted)) ? derivedName(taken, defaultName, suite.name) : wanted);
  }
  return names;
}

/** Whether another suite's check already has the name. */
export function isNameTaken(others: readonly NamedSuite[], defaultName: string, name: string): boolean {
  return [...checkNames(others, defaultName).values()].some(
    (taken) => normalizeCheckName(taken) === normalizeCheckName(name),
  );
}

export type LinkedSuite = { suite: SuiteOfRepository; checkName: string };

/** Whether a repository has a check over all of its suites. It then has the default name. */
export const hasSummaryCheck = (suites: readonly Pick<Suite, 'isActive' | 'config'>[]): boolean =>
  suites.some(({ isActive, config }) => isActive && config.summaryCheck);

/** The active suites that are linked to a repository (docs/rules.md, Pull requests), each with a unique check name. */
export async function linkedSuites(
  ctx: Pick<Context, 'db' | 'config'>,
  repository: RepositoryName,
): Promise<LinkedSuite[]> {
  const suites = await findLinkedSuites(ctx.db, repository);
  const names = checkNames(suites, ctx.config.checkName, hasSummaryCheck(suites));
  return suites
    .filter((suite) => suite.isActive)
    .map((suite) => ({ suite, checkName: names.get(suite.id) ?? ctx.config.checkName }));
}

/** The same for one suite. Null: it is not active, or not linked to the repository. */
export async function findLinkedSuite(
  ctx: Pick<Context, 'db' | 'config'>,
  repository: RepositoryName,
  suiteId: string,
): Promise<LinkedSuite | null> {
  return (await linkedSuites(ctx, repository)).find(({ suite }) => suite.id === suiteId) ?? null;
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
