import { createRequire } from 'node:module';
import type { DeploymentStatusEvent, PullRequestEvent, StatusEvent, WebhookEventMap } from '@octokit/webhooks-types';

type Definition<N extends keyof WebhookEventMap> = { name: N; examples: WebhookEventMap[N][] };

const definitions: { [N in keyof WebhookEventMap]: Definition<N> }[keyof WebhookEventMap][] = createRequire(
  import.meta.url,
)('@octokit/webhooks-examples');

const repository = { name: 'Site', full_name: 'Acme/Site', owner: { login: 'Acme' } };
const installation = { id: 12 };

/** The repository of every event here. */
export const repositoryOf = () => ({ ...repository, html_url: 'https://github.com/Acme/Site', default_branch: 'main' });

/** Makes a SHA of 40 digits from a few. */
export const sha = (text: string) => text.padEnd(40, '0');

export type PullRequestSaid = {
  number: number;
  head: string;
  /** GitHub's clock, in seconds. */
  at: number;
  draft?: boolean;
  before?: string;
  merged?: boolean;
  closed?: boolean;
  /** The branches; by default `feature/look` into the example's own base. */
  branch?: string;
  base?: string;
  /** The head branch is one of a fork. */
  fork?: boolean;
};

/** GitHub's example, for `Acme/Site`: names are not case-sensitive. */
export function pullRequestEvent(action: PullRequestEvent['action'], said: PullRequestSaid): PullRequestEvent {
  const payload = definitions
    .filter((each) => each.name === 'pull_request')
    .flatMap((each) => structuredClone(each.examples))
    .find((example) => example.action === (action === 'edited' ? 'opened' : action));
  if (payload === undefined) throw new Error(`There is no example of pull_request.${action}`);
  Object.assign(payload.repository, repository);
  Object.assign(payload.pull_request.head, { sha: said.head, ref: said.branch ?? 'feature/look' });
  if (said.fork === true && payload.pull_request.head.repo !== null) {
    payload.pull_request.head.repo.full_name = 'somebody/site';
  }
  if (said.base !== undefined) payload.pull_request.base.ref = said.base;
  Object.assign(payload.pull_request, {
    number: said.number,
    updated_at: new Date(Date.UTC(2026, 0, 1) + said.at * 1000).toISOString(),
    state: said.merged === true || said.closed === true || action === 'closed' ? 'closed' : 'open',
    draft: said.draft ?? false,
    merged: said.merged ?? false,
    merged_at: said.merged === true ? '2026-01-02T00:00:00Z' : null,
    merge_commit_sha: said.merged === true ? sha('feed') : null,
  });
  const push = action === 'synchronize' ? { before: said.before ?? sha('0'), after: said.head } : {};
  return Object.assign(payload, { action, number: said.number, installation, ...push });
}

export function deploymentEvent(said: {
  head: string;
  url: string;
  environment?: string;
  /** Of the deployment. The number of its status is larger for a later state. */
  id?: number;
  ref?: string;
  state?: DeploymentStatusEvent['deployment_status']['state'];
}): DeploymentStatusEvent {
  const [payload] = definitions
    .filter((each) => each.name === 'deployment_status')
    .flatMap((each) => structuredClone(each.examples));
  if (payload === undefined) throw new Error('There is no example of deployment_status');
  const environment = said.environment ?? 'Preview';
  Object.assign(payload.repository, repository);
  const id = said.id ?? payload.deployment.id;
  const ref = said.ref ?? 'feature/look';
  Object.assign(payload.deployment, { id, sha: said.head, ref, environment, production_environment: undefined });
  const status = { state: said.state ?? 'success', environment, environment_url: said.url, target_url: '' };
  Object.assign(payload.deployment_status, { id: said.state === 'pending' ? id * 10 : id * 10 + 1 });
  Object.assign(payload.deployment_status, status);
  return Object.assign(payload, { installation });
}

export function statusEvent(said: { head: string; url: string | null; context?: string }): StatusEvent {
  const [payload] = definitions
    .filter((each) => each.name === 'status')
    .flatMap((each) => structuredClone(each.examples));
  if (payload === undefined) throw new Error('There is no example of status');
  Object.assign(payload.repository, repository);
  const fields = { sha: said.head, state: 'success', context: said.context ?? 'deploy', target_url: said.url };
  return Object.assign(payload, fields, { installation });
}
