import type { RepositoryEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import type { HandlerContext } from './handler.ts';
import { renameRepo } from '../app/installation-store.ts';
import type { RepositoryName } from '../../pull-requests/move-repository.ts';
import { renameRepository } from './rename-repository.ts';

/** The name that the repository had before; null when it still has it. */
function formerName(payload: RepositoryEvent): RepositoryName | null {
  if (payload.action === 'other') return null;
  const { name: repo, owner } = payload.repository;
  if (payload.action === 'renamed') return { owner: owner.login, repo: payload.changes.repository.name.from };
  const { user, organization } = payload.changes.owner.from;
  const former = user ?? organization;
  return former === undefined ? null : { owner: former.login, repo };
}

/** What is linked to a repository follows it to its new name and owner. */
export async function onRepository(trx: Db, ctx: HandlerContext, payload: RepositoryEvent): Promise<void> {
  const from = formerName(payload);
  if (payload.action === 'other' || from === null) return;
  const to = { owner: payload.repository.owner.login, repo: payload.repository.name };
  const isRenamed = payload.action === 'renamed';
  // Another owner has another installation of the App; another name changes nothing about it.
  const installationId = isRenamed ? null : (payload.installation?.id ?? null);
  await renameRepository(trx, ctx, from, { ...to, installationId });
  if (isRenamed) await renameRepo(trx, `${from.owner}/${from.repo}`, `${to.owner}/${to.repo}`);
  ctx.log.info({ from, to }, 'a repository was renamed');
}
