import { isDeepStrictEqual } from 'node:util';
import { requirePermission } from '../access/authorized.ts';
import type { Permission } from '../access/role.ts';
import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { requireUnlocked } from './config-file/config-file.ts';
import { PageRule, RULES_MAX, without } from './config/page-rule.ts';
import { completeMatcher } from './config/preview-matcher.ts';
import { mergeConfig, type SuiteConfigInput } from './config/suite-config.ts';
import { chooseCheckName } from './linked-suites.ts';
import { nameLink, recordChanges, recordLink } from './record-changes.ts';
import { requireSeen, type Settings, type StoredSettings } from './settings-version.ts';
import { parseHttpUrl } from './suite-input.ts';
import { changeSuite, findSuite, lockSettings, type SuiteChange } from './suite-store.ts';
import { toRepositoryKey, type CodeHostLink, type Suite, type SuiteFor } from './suite.ts';

/**
 * An EDITOR may change what the suite captures. Only an ADMIN may deactivate it or link a repository (docs/rules.md,
 * Who may do what).
 */
function permissionsBeyondEdit({ isActive, codehost }: SuiteChange): Permission[] {
  return [
    ...(isActive === undefined ? [] : ['suite.activate' as const]),
    ...(codehost === undefined ? [] : ['suite.link' as const]),
  ];
}

/**
 * Asks the code host, in a room to the right, whether the viewer may link a repository. Returns the repository's
 * number, or null if the code host was not asked.
 */
type ConfirmLink = (link: CodeHostLink) => Promise<number | null>;

async function refuseToLink(): Promise<never> {
  throw forbidden('Repositories cannot be linked on this Pixelgate server', 'link_refused');
}

/** An existing link was checked before, so a new check name alone needs no new check. */
function isSameRepository(link: CodeHostLink, linked: CodeHostLink | null): boolean {
  const key = ({ owner, repo, installationId }: CodeHostLink) => `${installationId}:${owner}/${repo}`.toLowerCase();
  return linked !== null && key(link) === key(linked);
}

/**
 * Queues the end of pull request runs, and of their checks, that an inactive or unlinked suite no longer needs. Pull
 * requests of the former repository no longer show it. Those of the new one may have runs of an earlier link.
 */
async function leavePullRequests(
  trx: Db,
  before: Suite,
  { codehost: after }: Suite,
  { isActive, codehost }: SuiteChange,
): Promise<void> {
  if (isActive === false || codehost !== undefined) await enqueue(trx, 'end-unlinked-runs', { suiteId: before.id });
  if (isActive === undefined && codehost === undefined) return;
  for (const link of [before.codehost, after]) {
    if (link !== null) await enqueue(trx, 'gate-pull-requests', toRepositoryKey(link));
  }
}

/** The file may contain settings for the new name, or the newly linked repository may have a file. */
async function readFileAgain(trx: Db, { codehost }: Suite, { name, codehost: link }: SuiteChange): Promise<void> {
  if (codehost === null || (name === undefined && link === undefined)) return;
  await enqueue(trx, 'read-config-file', toRepositoryKey(codehost));
}

/** With a link to another repository, or none, the file of the former one no longer locks settings. */
const linksAnother = (link: CodeHostLink | null | undefined, { codehost }: Suite): boolean =>
  link !== undefined && (link === null || !isSameRepository(link, codehost));

/**
 * `confirmLink`: asked before a repository is linked. `seen`: the version of the settings that the change was made
 * from. `linked`: the name of the repository that the person was shown as linked; empty: none.
 */
type UpdateOptions = { confirmLink?: ConfirmLink; seen?: string | undefined; linked?: string | undefined };

/** Nobody acts on a link that they were not shown. @param shown the name of the repository; empty: none */
export function assertLinked(suite: Suite | null, shown: string): void {
  const linked = suite?.codehost ? nameLink(suite.codehost) : '';
  if (linked === shown) return;
  const now = linked === '' ? 'linked to no repository' : `linked to ${linked}`;
  throw conflict(`The suite is now ${now}. Nothing was changed`, 'not_as_shown');
}

async function record(
  trx: Db,
  { viewer, ...before }: SuiteFor<'suite.edit'>,
  stored: StoredSettings,
  changed: Settings & Pick<Suite, 'id' | 'codehost'>,
): Promise<void> {
  const actor = toActor(viewer);
  const from = { ...stored, isActive: before.isActive };
  await recordChanges(trx, actor, changed.id, { before: from, after: changed });
  await recordLink(trx, actor, changed.id, { before: before.codehost, after: changed.codehost });
}

/**
 * Applies the change to the suite; fields that are left out do not change.
 * @throws AppError not_found, forbidden (a field that the role may not change), invalid, unprocessable;
 * conflict when another suite of the repository has the check name, the repository's file sets a changed setting, the
 * settings are no longer those that were `seen`, or another repository is linked than `linked`.
 */
export async function updateSuite(
  ctx: Pick<Context, 'db' | 'network' | 'config'>,
  suite: SuiteFor<'suite.edit'>,
  change: SuiteChange,
  { confirmLink = refuseToLink, seen, linked }: UpdateOptions = {},
): Promise<SuiteFor> {
  const { id } = suite;
  for (const permission of permissionsBeyondEdit(change)) requirePermission(suite.access, permission);
  const { codehost: link } = change;
  const repositoryId = link && !isSameRepository(link, suite.codehost) ? await confirmLink(link) : undefined;
  const baseUrl = change.baseUrl === undefined ? undefined : parseHttpUrl(change.baseUrl, 'baseUrl');
  if (baseUrl !== undefined) await ctx.network.assertAllowed(baseUrl);
  const updated = await inTransaction(ctx.db, async (trx) => {
    const settings = await lockSettings(trx, id);
    if (settings === null) throw notFound('Suite');
    if (linked !== undefined) assertLinked(await findSuite(trx, id), linked);
    const { config: stored, configFile: file } = settings;
    const config = change.config === undefined ? undefined : mergeConfig(stored, change.config);
    requireSeen(seen, settings, { ...change, baseUrl, config });
    if (config !== undefined) requireUnlocked(file, stored, config);
    const named = { id, name: change.name ?? suite.name };
    const codehost = link && (await chooseCheckName(trx, ctx.config, named, link));
    const configFile = linksAnother(link, suite) ? null : undefined;
    const changed = await changeSuite(trx, id, { ...change, baseUrl, config, configFile, codehost, repositoryId });
    await record(trx, suite, settings, { ...changed, config: config ?? stored });
    await leavePullRequests(trx, suite, changed, change);
    if (config !== undefined) await followConfig(trx, changed, stored, config);
    await readFileAgain(trx, changed, change);
    return changed;
  });
  return { ...suite, ...updated };
}

const namesAnother = (stored: SuiteConfigInput, { preview }: SuiteConfigInput): boolean =>
  !isDeepStrictEqual(completeMatcher(preview ?? null), completeMatcher(stored.preview ?? null));

/** What decides which pull requests are gated, and what they show. */
const TOLD_BY = ['baseBranches', 'pullRequestComment', 'summaryCheck'] as const;

/** Queues the jobs that a change of a suite's configuration needs, in the transaction that stores it. */
export async function followConfig(
  trx: Db,
  { id, codehost }: Suite,
  stored: SuiteConfigInput,
  config: SuiteConfigInput,
): Promise<void> {
  if (!isDeepStrictEqual(config.rules, stored.rules)) await enqueue(trx, 'judge-suite', { suiteId: id });
  const tells = TOLD_BY.some((name) => !isDeepStrictEqual(config[name], stored[name]));
  if (codehost !== null && tells) {
    await enqueue(trx, 'gate-pull-requests', toRepositoryKey(codehost));
  }
  if (codehost !== null && !isDeepStrictEqual(config, stored)) await enqueue(trx, 'follow-settings', { suiteId: id });
  if (namesAnother(stored, config)) await enqueue(trx, 'search-previews-again', { suiteId: id });
}

/** What a rule may ignore at one place. */
export type IgnoreRule = Pick<PageRule, 'paths' | 'viewports' | 'ignore' | 'ignoreBoxes'>;

const merged = <T>(before: T[] = [], added: T[] = []): T[] => [...before, ...without(added, before)];

/** Rules have no empty lists. */
const ignoring = ({ ignore = [], ignoreBoxes = [] }: Pick<PageRule, 'ignore' | 'ignoreBoxes'>) => ({
  ...(ignore.length === 0 ? {} : { ignore }),
  ...(ignoreBoxes.length === 0 ? {} : { ignoreBoxes }),
});

/** Removes fields that are undefined, like in a stored rule. */
const scopeOf = ({ paths, viewports = [] }: PageRule) => ({ paths, viewports });

/** Collects everything that is ignored for the same pages and viewports in one rule, which does nothing else. */
function join(rules: PageRule[], rule: IgnoreRule): PageRule[] {
  const at = rules.findIndex(({ paths, viewports, ignore, ignoreBoxes, ...rest }) => {
    const isSame = isDeepStrictEqual(scopeOf({ paths, viewports }), scopeOf(rule));
    return isSame && Object.keys(rest).length === 0 && (ignore !== undefined || ignoreBoxes !== undefined);
  });
  const known = rules[at];
  if (known === undefined) return [...rules, rule];
  const ignore = merged(known.ignore, rule.ignore);
  const ignoreBoxes = merged(known.ignoreBoxes, rule.ignoreBoxes);
  const joined = PageRule.safeParse({ ...known, ...ignoring({ ignore, ignoreBoxes }) });
  // A rule has a maximum number of selectors and boxes.
  return joined.success ? rules.with(at, joined.data) : [...rules, rule];
}

/**
 * The rules without what this one ignores for the same pages and viewports. A rule that ignores nothing else is
 * removed.
 */
function part(rules: PageRule[], rule: IgnoreRule): PageRule[] {
  return rules.flatMap((known) => {
    if (!isDeepStrictEqual(scopeOf(known), scopeOf(rule))) return [known];
    const { ignore, ignoreBoxes, ...rest } = known;
    const { paths: _paths, viewports: _viewports, ...others } = rest;
    const left = ignoring({
      ignore: without(ignore, rule.ignore),
      ignoreBoxes: without(ignoreBoxes, rule.ignoreBoxes),
    });
    return Object.keys({ ...others, ...left }).length === 0 ? [] : [{ ...rest, ...left }];
  });
}

/**
 * Adds to what the suite ignores, or removes it: `undo`. Open gates are judged again.
 * @throws AppError not_found; conflict if the suite has the maximum number of rules, or the repository's file sets
 * them.
 */
export async function addIgnoreRule(
  { db }: Pick<Context, 'db'>,
  { id, viewer }: SuiteFor<'suite.edit'>,
  rule: IgnoreRule,
  { undo = false }: { undo?: boolean } = {},
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const stored = await lockSettings(trx, id);
    if (stored === null) throw notFound('Suite');
    const { config, configFile } = stored;
    const rules = (undo ? part : join)(config.rules ?? [], rule);
    if (rules.length > RULES_MAX)
      throw conflict(`The suite already has the maximum of ${RULES_MAX} rules`, 'too_many_rules');
    const changed = { ...config, rules };
    requireUnlocked(configFile, config, changed);
    const suite = await changeSuite(trx, id, { config: changed });
    await recordChanges(trx, toActor(viewer), id, { before: { config }, after: { config: changed } });
    await followConfig(trx, suite, config, changed);
  });
}
