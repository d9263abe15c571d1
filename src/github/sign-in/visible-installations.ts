import type { AccountTokens, LinkedAccount } from '../../auth/account.ts';
import { listLinkedAccounts, renewTokens } from '../../auth/change-account.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { readFullName, type RepositoryName } from '../../suites/suite.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { unlessRefused, userClient, type GitHub } from '../app/github-client.ts';
import { InstallationShape, readInstallation } from '../app/installation-facts.ts';
import type { InstallationFacts } from '../app/installation-store.ts';
import { refreshTokens } from './oauth-client.ts';

type VisibleContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** A token this close to its end might expire during the request. */
const MARGIN_MS = 60_000;

/** By the ID of the linked account: requests of this process share a renewal, and with it one database connection. */
const underWay = new Map<string, Promise<AccountTokens | null>>();

/** Concurrent requests share one renewal. */
async function renewOnce(
  ctx: VisibleContext,
  client: OAuthClient,
  account: LinkedAccount,
): Promise<AccountTokens | null> {
  const awaited = underWay.get(account.id);
  if (awaited !== undefined) return awaited;
  const renewing = renewTokens(ctx, account, async (token) => refreshTokens(ctx, client, token));
  const shared = renewing.finally(() => underWay.delete(account.id));
  underWay.set(account.id, shared);
  return shared;
}

async function usableToken(ctx: VisibleContext, client: OAuthClient, account: LinkedAccount): Promise<string | null> {
  const { accessToken, expiresAt } = account.tokens;
  if (expiresAt === null || expiresAt.getTime() - ctx.clock.now().getTime() > MARGIN_MS) return accessToken;
  const renewed = await renewOnce(ctx, client, account);
  return renewed?.accessToken ?? null;
}

/** One token for each GitHub account that the user has linked. Expired ones are renewed. Null when that fails. */
async function readUserTokens(ctx: VisibleContext, client: OAuthClient, userId: string): Promise<(string | null)[]> {
  const tokens: (string | null)[] = [];
  for (const account of await listLinkedAccounts(ctx, userId)) {
    tokens.push(await usableToken(ctx, client, account));
  }
  return tokens;
}

/** An installation that one of the user's GitHub accounts can see, and the client that saw it. */
export type VisibleInstallation = { facts: InstallationFacts; github: GitHub };

type GitHubRepository = {
  id: number | bigint;
  full_name: string;
  private: boolean;
  homepage?: string | null | undefined;
};

/** `id`: GitHub's number. Null where only the name is known. `homepage`: as people typed it into GitHub. */
export type Repository = RepositoryName & {
  id: number | null;
  fullName: string;
  private: boolean;
  homepage: string | null;
};

/** Null: GitHub rejects the token. */
async function seenBy(ctx: VisibleContext, github: GitHub): Promise<VisibleInstallation[] | null> {
  const seen = await unlessRefused(ctx, async () =>
    github.paginate(github.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
  );
  if (seen === null) return null;
  return seen.flatMap((installation) => {
    const { data } = InstallationShape.safeParse(installation);
    // An account without a login is an enterprise, which has no repositories.
    if (data === undefined || !('login' in data.account)) return [];
    return [{ facts: readInstallation(data), github }];
  });
}

/**
 * Empty for a user without a linked GitHub account. Suspended installations are left out: nothing can be done there.
 * @throws AppError `github_sign_in_lapsed` (forbidden) when GitHub rejects the tokens of all linked accounts;
 * unavailable.
 */
export async function visibleInstallations(
  ctx: VisibleContext,
  client: OAuthClient,
  viewer: Viewer,
): Promise<VisibleInstallation[]> {
  const visible = new Map<number, VisibleInstallation>();
  const tokens = await readUserTokens(ctx, client, viewer.id);
  let taken = 0;
  for (const token of tokens) {
    const seen = token === null ? null : await seenBy(ctx, await userClient(ctx, token));
    if (seen !== null) taken += 1;
    for (const each of seen ?? []) visible.set(each.facts.installationId, each);
  }
  if (tokens.length > 0 && taken === 0) {
    throw forbidden('Your GitHub sign-in has expired. Sign in with GitHub again.', 'github_sign_in_lapsed');
  }
  return [...visible.values()].filter(({ facts }) => facts.suspendedAt === null);
}

/** The repositories of the installation that the user can also see. */
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
  return (repositories ?? []).map(toRepository);
}

export function toRepository({ id, full_name: fullName, private: isPrivate, homepage }: GitHubRepository): Repository {
  return { ...readFullName(fullName), id: Number(id), fullName, private: isPrivate, homepage: homepage || null };
}
