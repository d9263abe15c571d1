import type { Db } from '../../db/database.ts';
import { findRepositoryNames } from '../../pull-requests/pull-request-store.ts';
import { renameAccount } from '../app/installation-store.ts';
import type { InstallationTargetEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { renameRepository } from './on-repository.ts';

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
