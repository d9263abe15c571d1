import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { queueStaleChecks } from '../../pull-requests/check/run-check.ts';
import { moveRepository } from '../../pull-requests/follow-repository.ts';
import { findRepositoryNames } from '../../pull-requests/pull-request-store.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findLinkedSuites, relinkInstallation, renameLinkedRepository } from '../../suites/suite-store.ts';
import { toRepositoryKey, type RepositoryName } from '../../suites/suite.ts';
import { readInstallation } from '../app/installation-facts.ts';
import {
  changeRepos,
  insertInstallation,
  removeInstallation,
  renameAccount,
  renameRepo,
  updateInstallation,
} from '../app/installation-store.ts';
import { renameRepositoryOfSignals } from '../previews/signal-store.ts';
import { wasUninstalled } from './delivery-store.ts';
import {
  repositoryKey,
  type HandlerContext,
  type InstallationEvent,
  type InstallationRepositoriesEvent,
  type InstallationTargetEvent,
  type PushEvent,
  type RepositoryEvent,
} from './event-shapes.ts';

/** A late event of a deleted installation does not bring it back. */
export async function onInstallation(trx: Db, { log }: HandlerContext, payload: InstallationEvent): Promise<void> {
  const { action, installation } = payload;
  if (action === 'deleted') {
    const removed = await removeInstallation(trx, installation.id);
    log.info({ installationId: installation.id, known: removed }, 'the App was uninstalled');
    return;
  }
  const facts = readInstallation(installation);
  if (await wasUninstalled(trx, installation.id, facts.changedAt)) return;
  const repos = payload.repositories?.map((repository) => repository.full_name);
  const isNew = await insertInstallation(trx, facts, repos ?? []);
  if (!isNew) await updateInstallation(trx, facts);
  await relinkInstallation(trx, repos ?? [], installation.id);
  // We don't have the full list: an event about its repositories came first, or this event lists none, or GitHub sent
  // nothing so far.
  const unsure = isNew ? repos === undefined : action === 'created' || action === 'unsuspend';
  if (unsure && facts.suspendedAt === null) {
    await enqueue(trx, 'refresh-installation', { installationId: installation.id });
  }
  // GitHub refused them while the installation was suspended.
  if (action === 'unsuspend') await queueStaleChecks(trx, true);
}

export async function onInstallationRepositories(
  trx: Db,
  _ctx: HandlerContext,
  payload: InstallationRepositoriesEvent,
): Promise<void> {
  const { installation } = payload;
  const facts = readInstallation(installation);
  if (await wasUninstalled(trx, installation.id, facts.changedAt)) return;
  const listFullNames = (repositories: { full_name: string }[]) => repositories.map(({ full_name: name }) => name);
  const added = listFullNames(payload.repositories_added);
  const removed = payload.repositories_removed.flatMap(({ full_name: name }) => name ?? []);
  await relinkInstallation(trx, added, installation.id);
  if (await insertInstallation(trx, facts, added)) {
    // The installation is new to us, and may see more repositories than this event adds.
    await enqueue(trx, 'refresh-installation', { installationId: installation.id });
    return;
  }
  await changeRepos(trx, installation.id, added, removed);
}

/** The account of an installation was renamed, and so the names of all its repositories change. */
export async function onInstallationTarget(
  trx: Db,
  ctx: HandlerContext,
  { account, changes, installation }: InstallationTargetEvent,
): Promise<void> {
  const from = changes.login?.from ?? changes.slug?.from;
  const to = 'login' in account ? account.login : account.slug;
  if (from === undefined) return;
  await renameAccount(trx, installation.id, from, to);
  for (const repo of await findRepositoryNames(trx, installation.id, from)) {
    await renameRepository(trx, ctx, { owner: from, repo }, { owner: to, repo, installationId: null });
  }
  ctx.log.info({ installationId: installation.id, from, to }, 'the account of an installation was renamed');
}

/** The previous name of the repository. Null: the name did not change. */
function formerName(payload: RepositoryEvent): RepositoryName | null {
  if (payload.action === 'other') return null;
  const { name: repo, owner } = payload.repository;
  if (payload.action === 'renamed') return { owner: owner.login, repo: payload.changes.repository.name.from };
  const { user, organization } = payload.changes.owner.from;
  const former = user ?? organization;
  return former === undefined ? null : { owner: former.login, repo };
}

/** Moves everything that is linked to a repository to its new name and owner. */
export async function onRepository(trx: Db, ctx: HandlerContext, payload: RepositoryEvent): Promise<void> {
  const from = formerName(payload);
  if (payload.action === 'other' || from === null) return;
  const to = { owner: payload.repository.owner.login, repo: payload.repository.name };
  const isRenamed = payload.action === 'renamed';
  // A new owner means another installation of the App. A new name does not.
  const installationId = isRenamed ? null : (payload.installation?.id ?? null);
  await renameRepository(trx, ctx, from, { ...to, installationId });
  if (isRenamed) await renameRepo(trx, `${from.owner}/${from.repo}`, `${to.owner}/${to.repo}`);
  ctx.log.info({ from, to }, 'a repository was renamed');
}

/**
 * Applies a repository's new name or owner to its previews, pull requests, runs and links.
 * @param to.installationId null: it stays the same
 */
async function renameRepository(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config'>,
  from: RepositoryName,
  to: RepositoryName & { installationId: number | null },
): Promise<void> {
  const [fromKey, toKey] = [toRepositoryKey(from), toRepositoryKey(to)];
  // Only links have the spelling. Everything else would be taken for what came earlier under the new name.
  if (isDeepStrictEqual(fromKey, toKey)) return renameLinkedRepository(trx, from, to);
  await renameRepositoryOfSignals(trx, fromKey, toKey);
  await moveRepository(trx, ctx, from, to);
}

/** After a push to the default branch, the configuration file there is read again. */
export async function onPush(trx: Db, _ctx: HandlerContext, { ref, repository }: PushEvent): Promise<void> {
  const { default_branch: branch } = repository;
  if (branch !== undefined && ref !== `refs/heads/${branch}`) return;
  const key = repositoryKey(repository);
  if ((await findLinkedSuites(trx, key)).length > 0) await enqueue(trx, 'read-config-file', key);
}
