import { expect, it } from '@jest/globals';
import { readAppFile, repositoryPermissions } from '../../src/github/app-manifest.ts';

it('asks repositories for what the checks need, to write nothing but checks', async () => {
  expect(repositoryPermissions(await readAppFile())).toEqual({
    checks: 'write',
    contents: 'read',
    deployments: 'read',
    merge_queues: 'read',
    metadata: 'read',
    pull_requests: 'read',
    statuses: 'read',
  });
});

it('asks people for their e-mail addresses and nothing else', async () => {
  const app = await readAppFile();
  const ofRepositories = Object.keys(repositoryPermissions(app));
  const others = Object.entries(app.default_permissions).filter(([name]) => !ofRepositories.includes(name));
  expect(others).toEqual([['emails', 'read']]);
});
