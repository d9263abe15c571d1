import type * as events from './event-shapes.ts';
import { repositoryKey } from './pull-request-news.ts';

/*
 * What an event is about. Events of one subject are handled in the order of arrival, by one job at a time. Events of
 * different subjects have no order, just as GitHub sends them. Pure.
 */

type Repository = events.StatusEvent['repository'];

function aboutCommit(repository: Repository, sha: string): string {
  const { owner, repo } = repositoryKey(repository);
  return `commit/${owner}/${repo}/${sha.toLowerCase()}`;
}

export function ofPullRequest({ repository, pull_request: { number } }: events.PullRequestEvent): string {
  const { owner, repo } = repositoryKey(repository);
  return `pull/${owner}/${repo}/${number}`;
}

export const ofCheckRun = ({ repository, check_run: check }: events.CheckRunEvent): string =>
  aboutCommit(repository, check.head_sha);

export const ofCheckSuite = ({ repository, check_suite: suite }: events.CheckSuiteEvent): string =>
  aboutCommit(repository, suite.head_sha);

export const ofDeployment = ({ repository, deployment }: events.DeploymentStatusEvent): string =>
  aboutCommit(repository, deployment.sha);

export const ofDispatch = ({ repository, client_payload: said }: events.RepositoryDispatchEvent): string =>
  aboutCommit(repository, said?.git.sha ?? '');

export const ofMergeGroup = ({ repository, merge_group: group }: events.MergeGroupEvent): string =>
  aboutCommit(repository, group.head_sha);

export const ofStatus = ({ repository, sha }: events.StatusEvent): string => aboutCommit(repository, sha);

export const ofInstallation = ({ installation }: { installation: { id: number } }): string =>
  `installation/${installation.id}`;

export function ofPush({ repository }: events.PushEvent): string {
  const { owner, repo } = repositoryKey(repository);
  return `push/${owner}/${repo}`;
}
