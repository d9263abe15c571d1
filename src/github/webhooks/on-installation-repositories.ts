import type { Db } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { relinkInstallation } from '../../suites/repository-store.ts';
import { readInstallation } from '../app/installation-facts.ts';
import { changeRepos, insertInstallation } from '../app/installation-store.ts';
import { wasUninstalled } from './delivery-store.ts';
import type { InstallationRepositoriesEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';

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
