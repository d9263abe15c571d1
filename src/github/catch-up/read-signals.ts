import { z } from 'zod';
import type { RepositoryKey } from '../../suites/suite.ts';
import { readItems, unlessGone, type GitHub } from '../app/github-client.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';

/** A head of a pull request whose preview is unknown. */
export type WaitingHead = { number: number; headSha: string };

/** The maximum number of deployments of a commit that are read, newest first, and of its statuses and checks. */
const MOST_DEPLOYMENTS = 10;
const MOST_SIGNALS = 100;

async function readDeploymentSignals(
  github: GitHub,
  at: RepositoryKey,
  repository: EventRepository,
  by: { sha: string } | { ref: string },
): Promise<Delivery[]> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/deployments', {
    ...at,
    ...by,
    per_page: MOST_DEPLOYMENTS,
  });
  const deliveries: Delivery[] = [];
  for (const deployment of readItems(Numbered, data)) {
    const { data: statuses } = await github.request('GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses', {
      ...at,
      deployment_id: deployment.id,
      per_page: 1,
    });
    deliveries.push(...toDeploymentDelivery(repository, deployment, statuses));
  }
  return deliveries;
}

/** All of a commit's deployments, statuses and checks that may announce a preview and that we may read. */
export async function readHeadSignals(
  github: GitHub,
  at: RepositoryKey,
  repository: EventRepository,
  { number, headSha }: WaitingHead,
): Promise<Delivery[]> {
  const commit = { ...at, ref: headSha, per_page: MOST_SIGNALS };
  const questions: (() => Promise<Delivery[]>)[] = [
    async () => readDeploymentSignals(github, at, repository, { sha: headSha }),
    async () => readDeploymentSignals(github, at, repository, { ref: `refs/pull/${number}/merge` }),
    async () => {
      const { data } = await github.request('GET /repos/{owner}/{repo}/commits/{ref}/status', commit);
      return toStatusDeliveries(repository, headSha, data.statuses);
    },
    async () => {
      const { data } = await github.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', commit);
      return toCheckDeliveries(repository, data.check_runs);
    },
  ];
  const deliveries: Delivery[] = [];
  for (const read of questions) deliveries.push(...((await unlessGone(read)) ?? []));
  return deliveries;
}

/*
 * What GitHub's API lists for a commit, as webhooks would have delivered it. Each event has the same id each time it is
 * polled.
 */

/** A repository as in webhooks. */
export type EventRepository = {
  name: string;
  full_name: string;
  owner: { login: string };
  html_url: string;
  default_branch?: string;
};

const Numbered = z.looseObject({ id: z.int() });
const Check = z.looseObject({
  id: z.int(),
  status: z.string(),
  conclusion: z.string().nullish(),
  completed_at: z.string().nullish(),
});

/** @param statuses of the deployment, newest first: only the newest counts */
function toDeploymentDelivery(repository: EventRepository, deployment: object, statuses: unknown): Delivery[] {
  const newest: unknown[] = Array.isArray(statuses) ? statuses.slice(0, 1) : [];
  const [status] = readItems(Numbered, newest);
  if (status === undefined) return [];
  const id = `polled:deployment:${repository.full_name}:${status.id}`;
  return [{ id, name: 'deployment_status', payload: { repository, deployment, deployment_status: status } }];
}

/** @param statuses the last one of each context */
function toStatusDeliveries(repository: EventRepository, sha: string, statuses: readonly unknown[]): Delivery[] {
  return readItems(Numbered, statuses).map((status) => ({
    id: `polled:status:${repository.full_name}:${sha}:${status.id}`,
    name: 'status',
    payload: { ...status, repository, sha },
  }));
}

/** No sender: a polled check requests no action. */
const SENDER = { id: 0, login: 'github' };

function toCheckDeliveries(repository: EventRepository, checks: readonly unknown[]): Delivery[] {
  return readItems(Check, checks).map((check) => {
    const { id, status, conclusion, completed_at: completedAt } = check;
    return {
      id: `polled:check:${repository.full_name}:${id}:${status}:${conclusion ?? ''}:${completedAt ?? ''}`,
      name: 'check_run',
      payload: {
        action: 'polled',
        repository,
        sender: SENDER,
        check_run: { ...check, check_suite: { head_branch: null } },
      },
    };
  });
}
