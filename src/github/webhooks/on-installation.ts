import type { Db } from '../../db/database.ts';
import { queueStaleChecks } from '../../pull-requests/check/run-check.ts';
import { findRepositoryNames } from '../../pull-requests/pull-request-store.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { relinkInstallation } from '../../suites/suite-store.ts';
import { readInstallation } from '../app/installation-facts.ts';
import {
  changeRepos,
  insertInstallation,
  removeInstallation,
  renameAccount,
  updateInstallation,
} from '../app/installation-store.ts';
import { wasUninstalled } from './delivery-store.ts';
import type {
  HandlerContext,
  InstallationEvent,
  InstallationRepositoriesEvent,
  InstallationTargetEvent,
} from './event-shapes.ts';
import { renameRepository } from './on-repository.ts';

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
