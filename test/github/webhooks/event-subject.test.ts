import { describe, expect, it } from '@jest/globals';
import { EVENT_TABLE } from '../../../src/github/webhooks/event-table.ts';

const SHA = 'A'.repeat(40);
const ACCOUNT = { id: 3, login: 'Acme', type: 'Organization' };
const REPOSITORY = { id: 8, name: 'Shop', full_name: 'Acme/Shop', owner: ACCOUNT };
const OTHER = { ...REPOSITORY, name: 'Docs', full_name: 'Acme/Docs' };

function subjectOf(event: string, payload: object): string | undefined {
  return EVENT_TABLE.get(event)?.read(payload)?.subject;
}

/** The events that tell of a commit, each with the commit where GitHub puts it. */
const OF_COMMIT: [string, (sha: string) => object][] = [
  [
    'check_run',
    (sha) => ({
      action: 'rerequested',
      check_run: { id: 1, head_sha: sha, check_suite: { head_branch: 'change' } },
      sender: ACCOUNT,
    }),
  ],
  ['check_suite', (sha) => ({ action: 'rerequested', check_suite: { head_sha: sha, head_branch: null } })],
  [
    'deployment_status',
    (sha) => ({
      deployment: { id: 4, sha, ref: 'main', environment: 'Preview' },
      deployment_status: { id: 9, state: 'success' },
    }),
  ],
  ['merge_group', (sha) => ({ action: 'checks_requested', merge_group: { head_sha: sha, head_ref: 'refs/heads/q' } })],
  [
    'repository_dispatch',
    (sha) => ({
      action: 'vercel.deployment.success',
      client_payload: { environment: 'preview', git: { sha }, project: { name: 'shop' } },
    }),
  ],
  ['status', (sha) => ({ sha, state: 'success', context: 'deploy' })],
];

describe('the subject of an event', () => {
  it.each(OF_COMMIT)('%s: the commit in its repository, whatever the case of their letters', (event, payload) => {
    const subject = subjectOf(event, { ...payload(SHA), repository: REPOSITORY });
    expect(subject).toBe(`commit/acme/shop/${'a'.repeat(40)}`);
    expect(subjectOf(event, { ...payload('b'.repeat(40)), repository: REPOSITORY })).not.toBe(subject);
    expect(subjectOf(event, { ...payload(SHA), repository: OTHER })).toBe(`commit/acme/docs/${'a'.repeat(40)}`);
  });

  it('pull_request: the pull request by its number', () => {
    const pull = (number: number) => ({
      action: 'opened',
      pull_request: {
        number,
        state: 'open',
        updated_at: '2026-03-01T10:00:00Z',
        head: { sha: SHA, ref: 'change' },
        base: { ref: 'main' },
      },
      repository: REPOSITORY,
    });
    expect(subjectOf('pull_request', pull(7))).toBe('pull/acme/shop/7');
    expect(subjectOf('pull_request', pull(8))).toBe('pull/acme/shop/8');
  });

  it('push: the repository, whichever its branch', () => {
    const push = (ref: string) => ({ ref, repository: REPOSITORY });
    expect(subjectOf('push', push('refs/heads/main'))).toBe('push/acme/shop');
    expect(subjectOf('push', push('refs/heads/next'))).toBe('push/acme/shop');
  });

  it('installations: the installation, for all that tells of it', () => {
    const installation = { id: 77, account: ACCOUNT, permissions: {}, events: [] };
    expect(subjectOf('installation', { action: 'created', installation })).toBe('installation/77');
    expect(
      subjectOf('installation_repositories', { installation, repositories_added: [], repositories_removed: [] }),
    ).toBe('installation/77');
    expect(subjectOf('installation_target', { account: ACCOUNT, changes: {}, installation })).toBe('installation/77');
  });

  it('repository: all renames and transfers of repositories, for one may need another', () => {
    const renamed = { changes: { repository: { name: { from: 'Store' } } }, action: 'renamed' };
    expect(subjectOf('repository', { ...renamed, repository: REPOSITORY })).toBe('repositories');
    expect(subjectOf('repository', { ...renamed, repository: OTHER })).toBe('repositories');
  });

  it('repository_dispatch: a commit of no name when it tells of none', () => {
    expect(subjectOf('repository_dispatch', { action: 'preview', repository: REPOSITORY })).toBe('commit/acme/shop/');
  });
});
