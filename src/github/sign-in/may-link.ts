import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import type { CodeHostLink } from '../../suites/suite.ts';
import { readOAuthClient } from '../app/credentials.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { visibleInstallations, visibleRepositories } from './visible-installations.ts';

type LinkContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

const toFullName = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`.toLowerCase();

async function canSee(ctx: LinkContext, client: OAuthClient, viewer: Viewer, link: CodeHostLink): Promise<boolean> {
  const visible = await visibleInstallations(ctx, client, viewer);
  const installation = visible.find(({ facts }) => facts.installationId === link.installationId);
  if (installation === undefined) return false;
  const repositories = await visibleRepositories(ctx, installation);
  return repositories.some((repository) => toFullName(repository) === toFullName(link));
}

/**
 * Contract 7.9: with GitHub sign-in configured, the viewer's own GitHub account must see the installation and the
 * repository in it. Without it, users are trusted only if registration is closed.
 * @throws AppError forbidden
 */
export async function assertMayLink(ctx: LinkContext, viewer: Viewer, link: CodeHostLink): Promise<void> {
  const client = await readOAuthClient(ctx);
  if (client === null) {
    if (!ctx.config.allowRegistration) return;
    throw forbidden(
      'To link a repository, sign-in with GitHub must be set up, or registration must be closed',
      'link_refused',
    );
  }
  if (await canSee(ctx, client, viewer, link)) return;
  throw forbidden(
    `Your GitHub account cannot see ${link.owner}/${link.repo} in this installation. Sign in with a GitHub account that can.`,
    'link_refused',
  );
}
