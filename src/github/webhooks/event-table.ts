import type { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import * as shapes from './event-shapes.ts';
import type { Handler, HandlerContext } from './handler.ts';
import { onCheckRun } from './on-check-run.ts';
import { onCheckSuite } from './on-check-suite.ts';
import { onDeploymentStatus } from './on-deployment-status.ts';
import { onInstallation } from './on-installation.ts';
import { onInstallationRepositories } from './on-installation-repositories.ts';
import { onInstallationTarget } from './on-installation-target.ts';
import { onMergeGroup } from './on-merge-group.ts';
import { onPullRequest } from './on-pull-request.ts';
import { onRepository } from './on-repository.ts';
import { onRepositoryDispatch } from './on-repository-dispatch.ts';
import { onStatus } from './on-status.ts';

/** @throws AppError invalid, for a payload without the fields that the handler needs. */
type EventHandler = (trx: Db, ctx: HandlerContext, payload: unknown) => Promise<void>;

function when<S extends z.ZodType>(shape: S, handle: Handler<z.output<S>>): EventHandler {
  return async (trx, ctx, payload) => {
    const parsed = shape.safeParse(payload);
    if (!parsed.success) {
      throw new AppError('invalid', 'The payload does not match the event', { code: 'payload_malformed' });
    }
    await handle(trx, ctx, parsed.data);
  };
}

/** The events that we handle (contract 7.10 to 7.15). Others are only recorded. */
export const EVENT_TABLE: ReadonlyMap<string, EventHandler> = new Map([
  ['check_run', when(shapes.CheckRunShape, onCheckRun)],
  ['check_suite', when(shapes.CheckSuiteShape, onCheckSuite)],
  ['deployment_status', when(shapes.DeploymentStatusShape, onDeploymentStatus)],
  ['installation', when(shapes.InstallationEventShape, onInstallation)],
  ['installation_repositories', when(shapes.InstallationRepositoriesShape, onInstallationRepositories)],
  ['installation_target', when(shapes.InstallationTargetShape, onInstallationTarget)],
  ['merge_group', when(shapes.MergeGroupShape, onMergeGroup)],
  ['pull_request', when(shapes.PullRequestShape, onPullRequest)],
  ['repository', when(shapes.RepositoryShape, onRepository)],
  ['repository_dispatch', when(shapes.RepositoryDispatchShape, onRepositoryDispatch)],
  ['status', when(shapes.StatusShape, onStatus)],
]);
