import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { buildManifest, readAppFile } from '../../../src/github/app/app-manifest.ts';
import * as shapes from '../../../src/github/webhooks/event-shapes.ts';
import { EVENT_TABLE } from '../../../src/github/webhooks/event-table.ts';

const examples: { name: string; examples: unknown[] }[] = createRequire(import.meta.url)('@octokit/webhooks-examples');

const SHAPES = {
  check_run: shapes.CheckRunShape,
  check_suite: shapes.CheckSuiteShape,
  deployment_status: shapes.DeploymentStatusShape,
  installation: shapes.InstallationEventShape,
  installation_repositories: shapes.InstallationRepositoriesShape,
  merge_group: shapes.MergeGroupShape,
  pull_request: shapes.PullRequestShape,
  push: shapes.PushShape,
  repository: shapes.RepositoryShape,
  repository_dispatch: shapes.RepositoryDispatchShape,
  status: shapes.StatusShape,
};

describe('the events that are handled', () => {
  it.each(Object.entries(SHAPES))('%s takes every official example', (name, shape) => {
    const payloads = examples.find((example) => example.name === name)?.examples ?? [];
    expect(payloads.length).toBeGreaterThan(0);
    for (const payload of payloads) expect(shape.safeParse(payload).error).toBeUndefined();
  });

  it('are those that the manifest asks for, and those that every App is sent', async () => {
    const { default_events: asked } = await readAppFile();
    const unasked = ['installation', 'installation_repositories', 'installation_target'];
    expect([...asked, ...unasked].sort()).toEqual([...EVENT_TABLE.keys()].sort());
  });
});

describe('the manifest', () => {
  it('asks for no more than what the service does', async () => {
    const file: unknown = parse(await readFile(new URL('../../../app.yml', import.meta.url), 'utf8'));
    expect(file).toMatchObject({
      public: false,
      default_permissions: {
        checks: 'write',
        contents: 'read',
        deployments: 'read',
        merge_queues: 'read',
        metadata: 'read',
        pull_requests: 'write',
        statuses: 'read',
      },
    });
  });

  it('gets the addresses of this service, and a name that GitHub takes', async () => {
    const publicUrl = 'https://pixelgate.a-rather-long-department.example.com:8443';
    const manifest = buildManifest(await readAppFile(), { publicUrl });
    expect(manifest).toMatchObject({
      url: publicUrl,
      hook_attributes: { url: `${publicUrl}/api/github/webhooks`, active: true },
      redirect_url: `${publicUrl}/setup/callback`,
      callback_urls: [`${publicUrl}/api/auth/github/callback`],
      setup_url: `${publicUrl}/setup/installed`,
      setup_on_update: true,
    });
    expect(manifest.name).toBe('Pixelgate pixelgate.a-rather-long-');
    expect(manifest.name.length).toBeLessThanOrEqual(34);
  });
});
