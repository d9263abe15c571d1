import { z } from 'zod';
import { route } from './route.ts';
import { CodeHostInstallation, CodeHostRepo, CodeHostReposQuery } from './schemas/code-host.ts';

const tag = 'Code host';

export const getInstallations = route(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'Installations of the GitHub App that the caller may link',
    description: 'An empty list where GitHub is not configured.',
    tag,
    status: 200,
    response: z.array(CodeHostInstallation),
  },
  async () => [],
);

export const getRepos = route(
  {
    operationId: 'listCodeHostRepos',
    summary: 'Repositories that the caller may link',
    description: 'An empty list where GitHub is not configured.',
    tag,
    status: 200,
    query: CodeHostReposQuery,
    response: z.array(CodeHostRepo),
  },
  async () => [],
);
