import type { Viewer } from '../../auth/user.ts';
import { inTransaction } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { readFullName } from '../../suites/suite.ts';
import { readOAuthClient } from '../app/credentials.ts';
import { listSeen, type GitHubContext } from '../app/github-client.ts';
import {
  findInstallations,
  insertInstallation,
  type Installation,
  type InstallationFacts,
} from '../app/installation-store.ts';
import { toRepository, visibleInstallations, visibleRepositories, type Repository } from './visible-installations.ts';

export type LinkableInstallation = Pick<
  Installation,
  'id' | 'installationId' | 'accountLogin' | 'accountType' | 'repos' | 'createdAt' | 'updatedAt'
>;

/**
 * The installations that the viewer may link: those that their GitHub account sees, each with the
 * repositories that it sees. Without GitHub sign-in: all installations if registration is closed, otherwise none.
 * @throws AppError `github_sign_in_lapsed` (forbidden), unavailable
 */
export async function listInstallations(ctx: GitHubContext, viewer: Viewer): Promise<LinkableInstallation[]> {
  const client = await readOAuthClient(ctx);
  if (client === null) return openToAll(ctx);
  const visible = await visibleInstallations(ctx, client, viewer);
  await insertUnknownInstallations(
    ctx,
    visible.map(({ facts }) => facts),
  );
  const repos = new Map<number, string[]>();
  for (const each of visible) {
    const names = (await visibleRepositories(ctx, each)).map(({ fullName }) => fullName);
    repos.set(each.facts.installationId, names.toSorted());
  }
  return (await findInstallations(ctx.db)).flatMap((installation) => {
    const seen = repos.get(installation.installationId);
    return seen === undefined ? [] : [{ ...installation, repos: seen }];
  });
}

/** A repository, and the installation that it can be linked in. */
export type LinkableRepository = Repository & { installationId: number };

/**
 * The repositories that the viewer may link, in one installation or in all of them.
 * @throws AppError `github_sign_in_lapsed` (forbidden), unavailable
 */
export async function listRepositories(
  ctx: GitHubContext,
  viewer: Viewer,
  installationId: number | undefined,
): Promise<LinkableRepository[]> {
  const wanted = (id: number) => installationId === undefined || id === installationId;
  const client = await readOAuthClient(ctx);
  const lists: LinkableRepository[][] = [];
  const add = (id: number, repositories: Repository[]) =>
    lists.push(repositories.map((repository) => ({ ...repository, installationId: id })));
  if (client === null) {
    const installations = (await openToAll(ctx)).filter((each) => wanted(each.installationId));
    for (const each of installations) add(each.installationId, await readRepositories(ctx, each));
  } else {
    const visible = (await visibleInstallations(ctx, client, viewer)).filter(({ facts }) =>
      wanted(facts.installationId),
    );
    for (const each of visible) add(each.facts.installationId, await visibleRepositories(ctx, each));
  }
  return lists.flat().toSorted((a, b) => a.fullName.localeCompare(b.fullName));
}

async function openToAll({ config, db }: GitHubContext): Promise<Installation[]> {
  if (config.allowRegistration) return [];
  return (await findInstallations(db)).filter(({ suspendedAt }) => suspendedAt === null);
}

/** We received no event for installations that are older than this service. */
async function insertUnknownInstallations({ db }: GitHubContext, visible: InstallationFacts[]): Promise<void> {
  const known = new Set((await findInstallations(db)).map(({ installationId }) => installationId));
  for (const facts of visible.filter(({ installationId }) => !known.has(installationId))) {
    await inTransaction(db, async (trx) => {
      if (await insertInstallation(trx, facts, []))
        await enqueue(trx, 'refresh-installation', { installationId: facts.installationId });
    });
  }
}

/** Read from GitHub. When it can't answer, taken from its events, which don't say whether a repository is public. */
async function readRepositories(ctx: GitHubContext, { installationId, repos }: Installation): Promise<Repository[]> {
  try {
    return (await listSeen(ctx, installationId)).map(toRepository);
  } catch (error) {
    ctx.log.warn({ err: error, installationId }, 'GitHub did not list the repositories of an installation');
    return repos.map((fullName) => ({
      ...readFullName(fullName),
      id: null,
      fullName,
      private: true,
      homepage: null,
    }));
  }
}
