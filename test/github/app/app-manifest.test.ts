import { expect, it } from '@jest/globals';
import { readAppFile, repositoryPermissions } from '../../../src/github/app/app-manifest.ts';

it('asks repositories for what the checks need, to write nothing but checks and comments', async () => {
  expect(repositoryPermissions(await readAppFile())).toEqual({
    checks: 'write',
    contents: 'read',
    deployments: 'read',
    merge_queues: 'read',
    metadata: 'read',
    pull_requests: 'write',
    statuses: 'read',
  });
});

it('asks people for nothing', async () => {
  const app = await readAppFile();
  expect(repositoryPermissions(app)).toEqual(app.default_permissions);
});

it('leaves what somebody adds for people out of what repositories must grant', async () => {
  const app = await readAppFile();
  const added = { ...app, default_permissions: { ...app.default_permissions, emails: 'read' as const } };
  expect(repositoryPermissions(added)).toEqual(app.default_permissions);
});
