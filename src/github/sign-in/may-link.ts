import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import type { CodeHostLink } from '../../suites/suite.ts';
import { readOAuthClient, type OAuthClient } from '../app/credentials.ts';
import { visibleInstallations, visibleRepositories, type Repository } from './visible-installations.ts';

type LinkContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

const toFullName = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`.toLowerCase();

/** Null: the viewer's accounts do not see it. */
async function findVisible(
  ctx: LinkContext,
  client: OAuthClient,
  viewer: Viewer,
  link: CodeHostLink,
): Promise<Repository | null> {
  const visible = await visibleInstallations(ctx, client, viewer);
  const installation = visible.find(({ facts }) => facts.installationId === link.installationId);
  if (installation === undefined) return null;
  const repositories = await visibleRepositories(ctx, installation);
  return repositories.find((repository) => toFullName(repository) === toFullName(link)) ?? null;
}

/**
 * Who may link a repository (docs/rules.md, Who may do what). With GitHub sign-in configured, the viewer's own GitHub
 * account must see the installation and the repository in it. Without it, users are trusted only if registration is
 * closed.
 * @returns GitHub's number of the repository; null where GitHub was not asked.
 * @throws AppError forbidden
 */
export async function confirmLink(ctx: LinkContext, viewer: Viewer, link: CodeHostLink): Promise<number | null> {
  const client = await readOAuthClient(ctx);
  if (client === null) {
    if (!ctx.config.allowRegistration) return null;
    throw forbidden(
      'To link a repository, sign-in with GitHub must be set up, or registration must be closed',
      'link_refused',
    );
  }
  const seen = await findVisible(ctx, client, viewer, link);
  if (seen !== null) return seen.id;
  throw forbidden(
    `Your GitHub account cannot see ${link.owner}/${link.repo} in this installation. Sign in with a GitHub account that can.`,
    'link_refused',
  );
}
