import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '../access/role.ts';
import { requirePermission } from '../access/viewer-access.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Db } from '../db/database.ts';
import { forbidden, notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { parseHttpUrl } from './http-url.ts';
import { toRepositoryKey } from './repository-key.ts';
import { chooseCheckName } from './linked-suites.ts';
import { completeMatcher } from './preview-matcher.ts';
import type { SuiteConfigInput } from './suite-config.ts';
import { mergeConfig } from './suite-config.ts';
import type { SuiteChange } from './suite-store.ts';
import { changeSuite, lockConfig } from './suite-store.ts';
import type { CodeHostLink, Suite, SuiteFor } from './suite.ts';

/** An EDITOR may change what the suite captures. Only an ADMIN may deactivate it or link a repository (contract 4). */
function permissionsBeyondEdit({ isActive, codehost }: SuiteChange): Permission[] {
  return [
    ...(isActive === undefined ? [] : ['suite.activate' as const]),
    ...(codehost === undefined ? [] : ['suite.link' as const]),
  ];
}

/** Asks the code host, which is right of here, whether the viewer may link a repository (contract 7.9). */
export type AssertMayLink = (link: CodeHostLink) => Promise<void>;

async function refuseToLink(): Promise<void> {
  throw forbidden('Repositories cannot be linked on this Pixelgate server', 'link_refused');
}

/** An existing link was checked before, so a new check name alone needs no new check. */
function isSameRepository(link: CodeHostLink, linked: CodeHostLink | null): boolean {
  const key = ({ owner, repo, installationId }: CodeHostLink) => `${installationId}:${owner}/${repo}`.toLowerCase();
  return linked !== null && key(link) === key(linked);
}

/** Queues the end of pull request runs, and of their checks, that an inactive or unlinked suite no longer needs. */
async function leavePullRequests(trx: Db, { id }: Suite, { isActive, codehost }: SuiteChange): Promise<void> {
  if (isActive === false || codehost !== undefined) await enqueue(trx, 'end-unlinked-runs', { suiteId: id });
}

const namesAnother = (stored: SuiteConfigInput, { preview }: SuiteConfigInput): boolean =>
  !isDeepStrictEqual(completeMatcher(preview ?? null), completeMatcher(stored.preview ?? null));

/**
 * Applies the change to the suite; fields that are left out do not change.
 * @throws AppError not_found, forbidden (a field that the role may not change), invalid, unprocessable;
 * conflict when another suite of the repository has the check name.
 */
export async function updateSuite(
  ctx: Pick<Context, 'db' | 'network' | 'config'>,
  suite: SuiteFor<'suite.edit'>,
  change: SuiteChange,
  assertMayLink: AssertMayLink = refuseToLink,
): Promise<SuiteFor> {
  const { id } = suite;
  for (const permission of permissionsBeyondEdit(change)) requirePermission(suite.access, permission);
  const { codehost: link } = change;
  if (link && !isSameRepository(link, suite.codehost)) await assertMayLink(link);
  const baseUrl = change.baseUrl === undefined ? undefined : parseHttpUrl(change.baseUrl, 'baseUrl');
  if (baseUrl !== undefined) await ctx.network.assertAllowed(baseUrl);
  const updated = await inTransaction(ctx.db, async (trx) => {
    const stored = await lockConfig(trx, id);
    if (stored === null) throw notFound('Suite');
    const config = change.config === undefined ? undefined : mergeConfig(stored, change.config);
    const named = { id, name: change.name ?? suite.name };
    const codehost = link && (await chooseCheckName(trx, ctx.config, named, link));
    const changed = await changeSuite(trx, id, { ...change, baseUrl, config, codehost });
    if (changed !== null) await leavePullRequests(trx, changed, change);
    if (changed !== null && config?.rules !== undefined && !isDeepStrictEqual(config.rules, stored.rules)) {
      await enqueue(trx, 'judge-suite', { suiteId: id });
    }
    if (changed?.codehost && !isDeepStrictEqual(config?.baseBranches, stored.baseBranches)) {
      await enqueue(trx, 'gate-pull-requests', toRepositoryKey(changed.codehost));
    }
    if (changed !== null && config !== undefined && namesAnother(stored, config)) {
      await enqueue(trx, 'search-previews-again', { suiteId: id });
    }
    return changed;
  });
  if (updated === null) throw notFound('Suite');
  return { ...suite, ...updated };
}
