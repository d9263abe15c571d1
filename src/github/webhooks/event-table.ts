import type { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import * as shapes from './event-shapes.ts';
import { onCheckRun, onCheckSuite } from './on-check-run.ts';
import {
  onInstallation,
  onInstallationRepositories,
  onInstallationTarget,
  onPush,
  onRepository,
} from './on-installation.ts';
import { onDeploymentStatus, onRepositoryDispatch, onStatus } from './on-preview-signal.ts';
import { onMergeGroup, onPullRequest } from './on-pull-request.ts';

/**
 * What an event is about, and the fields that its handler needs. Events of one subject are handled in the order of
 * arrival, by one job at a time. Events of different subjects have no order, just as GitHub sends them.
 */
type ReadEvent = { subject: string; event: unknown };

type EventKind = {
  /**
   * Null: there is nothing to handle.
   * @throws AppError invalid, for a payload without the fields that the handler needs.
   */
  read(payload: unknown): ReadEvent | null;
  /** Handles events of one subject, oldest first: results of `read`, or payloads. */
  handle(trx: Db, ctx: shapes.HandlerContext, events: readonly unknown[]): Promise<void>;
};

function parse<S extends z.ZodType>(shape: S, payload: unknown): z.output<S> {
  const parsed = shape.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid', 'The payload does not match the event', { code: 'payload_malformed' });
}

/** For a handler that takes all events of a subject at once. */
function together<S extends z.ZodType>(
  shape: S,
  subject: (event: z.output<S>) => string,
  handle: shapes.Handler<readonly z.output<S>[]>,
): EventKind {
  return {
    read(payload) {
      const event = parse(shape, payload);
      return { subject: subject(event), event };
    },
    async handle(trx, ctx, events) {
      await handle(
        trx,
        ctx,
        events.map((event) => parse(shape, event)),
      );
    },
  };
}

function each<S extends z.ZodType>(
  shape: S,
  subject: (event: z.output<S>) => string,
  handle: shapes.Handler<z.output<S>>,
): EventKind {
  return together(shape, subject, async (trx, ctx, events) => {
    for (const event of events) await handle(trx, ctx, event);
  });
}

/** For an event that may lack what its handler needs. It is then recorded like those that nothing handles. */
function eachWhole<S extends z.ZodType>(
  shape: S,
  subject: (event: z.output<S>) => string,
  handle: shapes.Handler<z.output<S>>,
): EventKind {
  const kind = each(shape, subject, handle);
  const isWhole = (event: unknown) => shape.safeParse(event).success;
  return {
    read: (payload) => (isWhole(payload) ? kind.read(payload) : null),
    handle: async (trx, ctx, events) => kind.handle(trx, ctx, events.filter(isWhole)),
  };
}

type OfRepository = { repository: shapes.PushEvent['repository'] };

function about(what: 'commit' | 'pull' | 'push', { repository }: OfRepository, ...id: (string | number)[]): string {
  const { owner, repo } = shapes.repositoryKey(repository);
  return [what, owner, repo, ...id].join('/');
}

const aboutCommit = (event: OfRepository, sha: string) => about('commit', event, sha.toLowerCase());

const aboutInstallation = ({ installation }: { installation: { id: number } }) => `installation/${installation.id}`;

/** The events that we handle (docs/rules.md, The code host). Others are only recorded. */
export const EVENT_TABLE: ReadonlyMap<string, EventKind> = new Map([
  ['check_run', each(shapes.CheckRunShape, (event) => aboutCommit(event, event.check_run.head_sha), onCheckRun)],
  [
    'check_suite',
    each(shapes.CheckSuiteShape, (event) => aboutCommit(event, event.check_suite.head_sha), onCheckSuite),
  ],
  [
    'deployment_status',
    each(shapes.DeploymentStatusShape, (event) => aboutCommit(event, event.deployment.sha), onDeploymentStatus),
  ],
  ['installation', each(shapes.InstallationEventShape, aboutInstallation, onInstallation)],
  [
    'installation_repositories',
    each(shapes.InstallationRepositoriesShape, aboutInstallation, onInstallationRepositories),
  ],
  ['installation_target', each(shapes.InstallationTargetShape, aboutInstallation, onInstallationTarget)],
  [
    'merge_group',
    each(shapes.MergeGroupShape, (event) => aboutCommit(event, event.merge_group.head_sha), onMergeGroup),
  ],
  [
    'pull_request',
    together(shapes.PullRequestShape, (event) => about('pull', event, event.pull_request.number), onPullRequest),
  ],
  ['push', eachWhole(shapes.PushShape, (event) => about('push', event), onPush)],
  ['repository', each(shapes.RepositoryShape, () => 'repositories', onRepository)],
  [
    'repository_dispatch',
    each(
      shapes.RepositoryDispatchShape,
      (event) => aboutCommit(event, event.client_payload?.git.sha ?? ''),
      onRepositoryDispatch,
    ),
  ],
  ['status', each(shapes.StatusShape, (event) => aboutCommit(event, event.sha), onStatus)],
]);
