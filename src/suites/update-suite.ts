import type { Permission } from '../access/role.ts';
import { requirePermission } from '../access/viewer-access.ts';
import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { forbidden, notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { requireUnlocked } from './config-file/locked-settings.ts';
import { mergeConfig } from './config/suite-config.ts';
import { followConfig } from './follow-config.ts';
import { chooseCheckName } from './linked-suites.ts';
import { recordChanges, recordLink } from './record-changes.ts';
import { requireSeen, type Settings, type StoredSettings } from './settings-version.ts';
import { parseHttpUrl } from './suite-input.ts';
import { changeSuite, lockSettings, type SuiteChange } from './suite-store.ts';
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
 * from.
 */
type UpdateOptions = { confirmLink?: ConfirmLink; seen?: string | undefined };

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
 * conflict when another suite of the repository has the check name, the repository's file sets a changed setting, or
 * the settings are no longer those that were `seen`.
 */
export async function updateSuite(
  ctx: Pick<Context, 'db' | 'network' | 'config'>,
  suite: SuiteFor<'suite.edit'>,
  change: SuiteChange,
  { confirmLink = refuseToLink, seen }: UpdateOptions = {},
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
