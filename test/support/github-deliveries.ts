import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { deliveryHeaders } from './github-app.ts';
import type { GitHubWorld } from './github-world.ts';

// GitHub's own examples. Tests change some of their fields.
type Payload = any;

const require = createRequire(import.meta.url);
const definitions: { name: string; examples: Payload[] }[] = require('@octokit/webhooks-examples');

/** A message from GitHub. The same `id` means the same delivery. */
export type Delivery = { id: string; event: string; payload: Payload };

function delivery(
  event: string,
  { installation, repository }: GitHubWorld,
  action: string | null,
  change: (payload: Payload) => void,
): Delivery {
  const example = definitions
    .find(({ name }) => name === event)
    ?.examples.find((each) => action === null || each.action === action);
  if (example === undefined) throw new Error(`There is no example of ${event} ${action}`);
  const payload = structuredClone(example);
  if (event !== 'installation') payload.installation = { id: installation.id, node_id: 'MDQ6' };
  if (payload.repository !== undefined) {
    const { owner, name } = repository;
    // The examples are of several repositories.
    Object.assign(payload.repository, { name, full_name: `${owner}/${name}`, default_branch: 'master' });
    payload.repository.owner.login = owner;
  }
  change(payload);
  return { id: randomUUID(), event, payload };
}

export type PullRequestSaid = {
  number: number;
  headSha: string;
  /** The head before a push. */
  before?: string;
  /** Seconds after the pull request was opened. */
  after?: number;
  mergeCommitSha?: string;
  draft?: boolean;
  /** The branch that it is from. */
  branch?: string;
  /** The branch that it goes into. */
  base?: string;
  /** What was that branch before it was edited. */
  baseBefore?: string;
};

const OPENED_AT = Date.parse('2026-01-05T09:00:00Z');
const moment = (after: number) => new Date(OPENED_AT + after * 1000).toISOString().replace('.000', '');

type PullRequestAction = 'opened' | 'synchronize' | 'edited' | 'reopened' | 'ready_for_review' | 'closed' | 'merged';

export function pullRequestDelivery(world: GitHubWorld, action: PullRequestAction, said: PullRequestSaid): Delivery {
  const { number, headSha, before, after = 0 } = said;
  const isMerged = action === 'merged';
  const example = isMerged ? 'closed' : action === 'edited' ? 'opened' : action;
  return delivery('pull_request', world, example, (payload) => {
    if (action === 'edited') payload.action = action;
    const isClosed = payload.action === 'closed';
    payload.number = number;
    if (before !== undefined) Object.assign(payload, { before, after: headSha });
    Object.assign(payload.pull_request, {
      number,
      state: isClosed ? 'closed' : 'open',
      draft: said.draft ?? false,
      merged: isMerged,
      merged_at: isMerged ? moment(after) : null,
      closed_at: isClosed ? moment(after) : null,
      merge_commit_sha: said.mergeCommitSha ?? null,
      created_at: moment(0),
      updated_at: moment(after),
    });
    Object.assign(payload.pull_request.head, { sha: headSha, ref: said.branch ?? 'feature/prices' });
    Object.assign(payload.pull_request.base, { ref: said.base ?? world.repository.defaultBranch });
    if (said.baseBefore !== undefined) payload.changes = { base: { ref: { from: said.baseBefore } } };
  });
}

export function deploymentDelivery(
  world: GitHubWorld,
  said: { sha: string; url: string; state?: string; environment?: string },
): Delivery {
  return delivery('deployment_status', world, null, (payload) => {
    const { environment = 'Preview' } = said;
    Object.assign(payload.deployment, { sha: said.sha, environment, original_environment: environment });
    Object.assign(payload.deployment_status, {
      state: said.state ?? 'success',
      environment,
      environment_url: said.url,
      target_url: '',
    });
  });
}

export function installationDelivery(world: GitHubWorld, action: 'created' | 'deleted'): Delivery {
  return delivery('installation', world, action, (payload) => {
    const { id, account, permissions, events } = world.installation;
    Object.assign(payload.installation, { id, permissions, events });
    Object.assign(payload.installation.account, account);
    const { owner, name } = world.repository;
    payload.repositories = [{ id: world.repository.id, name, full_name: `${owner}/${name}`, private: false }];
  });
}

/** The merge queue created the group's commit on top of its base branch. */
export function mergeGroupDelivery(world: GitHubWorld, said: { headSha: string; last: number }): Delivery {
  return delivery('merge_group', world, 'checks_requested', (payload) => {
    const branch = `gh-readonly-queue/${world.repository.defaultBranch}/pr-${said.last}-${said.headSha}`;
    Object.assign(payload.merge_group, { head_sha: said.headSha, head_ref: `refs/heads/${branch}` });
  });
}

/** `world` already has the new name. */
export function renamedDelivery(world: GitHubWorld, from: string): Delivery {
  return delivery('repository', world, 'renamed', (payload) => {
    payload.changes = { repository: { name: { from } } };
  });
}

/** `world` already has the new owner. */
export function transferredDelivery(world: GitHubWorld, from: string): Delivery {
  return delivery('repository', world, 'transferred', (payload) => {
    payload.changes = { owner: { from: { user: { login: from } } } };
  });
}

export function statusDelivery(world: GitHubWorld, said: { sha: string; url: string }): Delivery {
  return delivery('status', world, null, (payload) => {
    Object.assign(payload, { sha: said.sha, state: 'success', context: 'deploy', target_url: said.url });
  });
}

/** A push to the default branch. */
export function pushDelivery(world: GitHubWorld): Delivery {
  return delivery('push', world, null, (payload) => {
    payload.ref = `refs/heads/${world.repository.defaultBranch}`;
  });
}

/** "Re-run all checks" on a commit. */
export function checkSuiteDelivery(world: GitHubWorld, headSha: string): Delivery {
  return delivery('check_suite', world, 'rerequested', (payload) => {
    Object.assign(payload.check_suite, { head_sha: headSha, head_branch: null, pull_requests: [] });
  });
}

/** A button in a check, by its name, or `rerequested` for GitHub's own "Re-run". */
export function checkRunDelivery(
  world: GitHubWorld,
  said: { checkId: number; button: string; sender: { id: number; login: string } },
): Delivery {
  const check = world.checks.find(({ id }) => id === said.checkId);
  if (check === undefined) throw new Error(`There is no check ${said.checkId}`);
  const isAction = said.button !== 'rerequested';
  return delivery('check_run', world, 'rerequested', (payload) => {
    payload.action = isAction ? 'requested_action' : 'rerequested';
    const shown = check.actions?.find(({ identifier }) => identifier.split(':')[0] === said.button);
    if (isAction) payload.requested_action = { identifier: shown?.identifier ?? said.button };
    Object.assign(payload.sender, said.sender);
    Object.assign(payload.check_run, {
      id: check.id,
      name: check.name,
      head_sha: check.head_sha,
      external_id: check.external_id ?? '',
      status: check.status,
      conclusion: check.conclusion ?? null,
      pull_requests: [],
    });
    Object.assign(payload.check_run.check_suite, { head_sha: check.head_sha, head_branch: 'feature/prices' });
  });
}

/** Posts it as GitHub does. @returns the status of the response. */
export async function deliver(url: string, { id, event, payload }: Delivery): Promise<number> {
  const body = JSON.stringify(payload);
  const headers = deliveryHeaders(event, id, body);
  const response = await fetch(`${url}/api/github/webhooks`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}
