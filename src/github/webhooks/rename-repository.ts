import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { moveRepository } from '../../pull-requests/move-repository.ts';
import { toRepositoryKey, type RepositoryName } from '../../suites/repository-key.ts';
import { renameRepositoryOfSignals } from '../previews/signal-store.ts';

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
  await renameRepositoryOfSignals(trx, toRepositoryKey(from), toRepositoryKey(to));
  await moveRepository(trx, ctx, from, to);
}
