import { z } from 'zod';
import { listInstallations, listRepositories } from '../github/list-linkable.ts';
import { presentInstallation } from './present-code-host.ts';
import { route } from './route.ts';
import { CodeHostInstallation, CodeHostRepo, CodeHostReposQuery } from './schemas/code-host.ts';

const tag = 'Code host';

export const getInstallations = route(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'Installations of the GitHub App that the caller may link',
    description:
      'Those that the linked GitHub account sees. Where sign-in with GitHub is not configured: all when registration is closed, else none.',
    tag,
    status: 200,
    response: z.array(CodeHostInstallation),
  },
  async (ctx, { viewer }) => (await listInstallations(ctx, viewer)).map(presentInstallation),
);

export const getRepos = route(
  {
    operationId: 'listCodeHostRepos',
    summary: 'Repositories that the caller may link',
    description:
      'Those that the linked GitHub account sees. Where sign-in with GitHub is not configured: all when registration is closed, else none.',
    tag,
    status: 200,
    query: CodeHostReposQuery,
    response: z.array(CodeHostRepo),
  },
  async (ctx, { viewer, query }) => listRepositories(ctx, viewer, query.installationId),
);
