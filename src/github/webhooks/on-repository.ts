import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { moveRepository } from '../../pull-requests/follow-repository.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findLinkedSuites, renameLinkedRepository } from '../../suites/suite-store.ts';
import { toRepositoryKey, type RepositoryName } from '../../suites/suite.ts';
import { renameRepo } from '../app/installation-store.ts';
import { renameRepositoryOfSignals } from '../previews/signal-store.ts';
import { repositoryKey, type HandlerContext, type PushEvent, type RepositoryEvent } from './event-shapes.ts';

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
export async function renameRepository(
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
