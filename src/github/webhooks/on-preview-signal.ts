import type { Db } from '../../db/database.ts';
import { parsePreviewUrl } from '../../suites/config/preview-matcher.ts';
import { readReport } from '../previews/preview-hosts.ts';
import { recordMergeSignal, recordSignal } from '../previews/record-signal.ts';
import { isProduction, type Report } from '../previews/report.ts';
import type { HeardSignal } from '../previews/signal.ts';
import {
  repositoryKey,
  type CheckRunEvent,
  type DeploymentStatusEvent,
  type Handler,
  type HandlerContext,
  type RepositoryDispatchEvent,
  type StatusEvent,
} from './event-shapes.ts';

type Repository = StatusEvent['repository'];
type Text = string | undefined;

/** What an event says besides its report. */
type Circumstances = Pick<HeardSignal, 'headSha' | 'ref' | 'serial' | 'step'> & { repository: Repository; link: Text };

const NO_REPORT = { description: '', links: [], text: '', app: null, creator: null };

/** The addresses in an event, without those of the code host itself, whose links lead to logs. */
function chooseLinks({ html_url: repository }: Repository, links: Text[]): string[] {
  const host = parsePreviewUrl(repository) === null ? null : new URL(repository ?? '').host;
  return links
    .map(parsePreviewUrl)
    .filter((link) => link !== null && new URL(link).host !== host)
    .map(String);
}

function toSignal(report: Report, { repository, link, ...at }: Circumstances): HeardSignal | null {
  const read = readReport(report);
  if (read === null) return null;
  const { source, name } = report;
  const { host, project, state, address } = read;
  const { default_branch: defaultBranch } = repository;
  return {
    ...repositoryKey(repository),
    ...at,
    headSha: at.headSha.toLowerCase(),
    source,
    name,
    project: project ?? '',
    host,
    state,
    url: address,
    link: parsePreviewUrl(link),
    onDefaultBranch: at.ref !== null && at.ref === defaultBranch,
  };
}

/** Null for production. A status can move its deployment to another environment than the original one. */
function readEnvironment({ deployment, deployment_status: status }: DeploymentStatusEvent): string | null {
  const { environment, production_environment } = deployment;
  const names = status.environment === undefined ? [environment] : [status.environment, environment];
  return names.find((name) => !isProduction({ environment: name, production_environment })) ?? null;
}

/** Null for production, and for a state that says nothing about a preview. */
export function readDeploymentSignal(payload: DeploymentStatusEvent): HeardSignal | null {
  const { deployment, deployment_status: status, repository } = payload;
  const name = readEnvironment(payload);
  if (name === null) return null;
  const links = chooseLinks(repository, [status.environment_url, status.target_url, status.log_url]);
  const { state, description = '' } = status;
  const creator = deployment.creator?.login ?? null;
  return toSignal(
    { ...NO_REPORT, source: 'DEPLOYMENT', name, state, description, links, creator },
    {
      repository,
      headSha: deployment.sha,
      ref: deployment.ref?.replace(/^refs\/heads\//, '') ?? null,
      link: [status.log_url, status.target_url, status.environment_url].find((link) => parsePreviewUrl(link) !== null),
      serial: deployment.id ?? 0,
      step: status.id ?? 0,
    },
  );
}

/** Whether a deployment is of the test merge of a pull request: `refs/pull/7/merge`. */
export const isMergeRef = (ref: string | null): boolean => /^(?:refs\/)?(?:pull\/)?\d+\/merge$/.test(ref ?? '');

export function readStatusSignal(payload: StatusEvent): HeardSignal | null {
  const { repository, context: name, state, description = '', target_url: target } = payload;
  const links = chooseLinks(repository, [target]);
  const at = { repository, headSha: payload.sha, ref: null, link: target, serial: payload.id ?? 0, step: 0 };
  return toSignal({ ...NO_REPORT, source: 'STATUS', name, state, description, links }, at);
}

const toSeconds = (time: Text) => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000));

export function readCheckSignal({ repository, check_run: check }: CheckRunEvent): HeardSignal | null {
  const { id, name, status = '', conclusion, details_url: details, html_url: page, output, app = null } = check;
  if (name === undefined) return null;
  return toSignal(
    {
      ...NO_REPORT,
      source: 'CHECK',
      name,
      state: status === 'completed' ? (conclusion ?? '') : status,
      description: output?.title ?? '',
      links: chooseLinks(repository, [details]),
      text: `${output?.summary ?? ''}\n${output?.text ?? ''}`,
      app,
    },
    {
      repository,
      headSha: check.head_sha,
      ref: check.check_suite.head_branch,
      link: parsePreviewUrl(details) === null ? page : details,
      serial: id,
      step: toSeconds(check.completed_at ?? check.started_at),
    },
  );
}

/** Vercel names its environments like this where a repository has several projects. */
const environmentName = (environment: string, project: string) =>
  `${environment === 'preview' ? 'Preview' : environment} – ${project}`;

/** Null if Vercel did not send it, and for production. */
export function readDispatchSignal(payload: RepositoryDispatchEvent): HeardSignal | null {
  const { action: state, repository, client_payload: said } = payload;
  if (said === undefined || isProduction(said)) return null;
  const name = environmentName(said.environment, said.project.name);
  const links = chooseLinks(repository, [said.url]);
  const at = { repository, headSha: said.git.sha, ref: said.git.ref ?? null, link: said.url, serial: 0, step: 0 };
  return toSignal({ ...NO_REPORT, source: 'DISPATCH', name, state, links }, at);
}

/**
 * A success outside production gives the address of the preview, and a failure says that it will not come. Pull
 * requests are found by commit, because their list is empty for forks.
 */
export async function onDeploymentStatus(trx: Db, ctx: HandlerContext, payload: DeploymentStatusEvent): Promise<void> {
  const signal = readDeploymentSignal(payload);
  if (signal === null) return;
  if (isMergeRef(signal.ref)) await recordMergeSignal(trx, ctx, signal);
  else await recordSignal(trx, ctx, signal);
}

/** Records what an event says about a preview, if it says something. */
const recording =
  <E>(read: (payload: E) => HeardSignal | null): Handler<E> =>
  async (trx, ctx, payload) => {
    const signal = read(payload);
    if (signal !== null) await recordSignal(trx, ctx, signal);
  };

/** Some hosts announce previews by statuses, and a suite's settings may name any. */
export const onStatus = recording(readStatusSignal);

/** Vercel's report of a build; for a build that it skips, the only one. */
export const onRepositoryDispatch = recording(readDispatchSignal);
