import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { OAuthClient } from './credentials.ts';
import type { GitHub } from './github-client.ts';
import { grantedPermissions, timeOf } from './installation-facts.ts';
import type { InstallationFacts } from './installation-store.ts';
import { unlessRefused, userClient } from './user-client.ts';
import { tokensOf } from './user-tokens.ts';

type VisibleContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** An installation that one of the user's GitHub accounts can see, and the client that saw it. */
export type VisibleInstallation = { facts: InstallationFacts; github: GitHub };

export type Repository = { owner: string; repo: string; fullName: string; private: boolean };

async function seenBy(ctx: VisibleContext, github: GitHub): Promise<VisibleInstallation[]> {
  const seen = await unlessRefused(ctx, async () =>
    github.paginate(github.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
  );
  return (seen ?? []).flatMap((installation) => {
    const { account } = installation;
    // An account without a login is an enterprise, which has no repositories.
    if (account === null || !('login' in account)) return [];
    const facts: InstallationFacts = {
      installationId: installation.id,
      accountLogin: account.login,
      accountType: account.type,
      suspendedAt: timeOf(installation.suspended_at),
      permissions: grantedPermissions(installation.permissions),
      events: installation.events,
      changedAt: timeOf(installation.updated_at),
    };
    return [{ facts, github }];
  });
}

/** Suspended ones are left out: nothing can be done there. */
export async function visibleInstallations(
  ctx: VisibleContext,
  client: OAuthClient,
  viewer: Viewer,
): Promise<VisibleInstallation[]> {
  const visible = new Map<number, VisibleInstallation>();
  for (const token of await tokensOf(ctx, client, viewer.id)) {
    for (const each of await seenBy(ctx, userClient(ctx, token))) visible.set(each.facts.installationId, each);
  }
  return [...visible.values()].filter(({ facts }) => facts.suspendedAt === null);
}

/** The installation's repositories that the user can see too. */
export async function visibleRepositories(
  ctx: Pick<Context, 'clock' | 'log'>,
  { facts, github }: VisibleInstallation,
): Promise<Repository[]> {
  const repositories = await unlessRefused(ctx, async () =>
    github.paginate(github.rest.apps.listInstallationReposForAuthenticatedUser, {
      installation_id: facts.installationId,
      per_page: 100,
    }),
  );
  return (repositories ?? []).map(repositoryOf);
}

export function repositoryOf(repository: {
  name: string;
  full_name: string;
  private: boolean;
  owner: { login: string };
}): Repository {
  const { name, full_name: fullName, private: isPrivate, owner } = repository;
  return { owner: owner.login, repo: name, fullName, private: isPrivate };
}
