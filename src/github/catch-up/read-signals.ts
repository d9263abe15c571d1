import type { RepositoryKey } from '../../suites/suite.ts';
import { isGone, type GitHub } from '../app/github-client.ts';
import type { Delivery } from '../webhooks/read-delivery.ts';
import {
  readDeployments,
  toCheckDeliveries,
  toDeploymentDelivery,
  toStatusDeliveries,
  type EventRepository,
} from './polled-signal.ts';

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
  for (const deployment of readDeployments(data)) {
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
  for (const read of questions) {
    try {
      deliveries.push(...(await read()));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return deliveries;
}
