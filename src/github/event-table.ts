import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Handler, HandlerContext } from './handler.ts';
import { onCheckRun } from './on-check-run.ts';
import { onCheckSuite } from './on-check-suite.ts';
import { onInstallation } from './on-installation.ts';
import { onInstallationRepositories } from './on-installation-repositories.ts';
import { onMergeGroup } from './on-merge-group.ts';
import { onRepository } from './on-repository.ts';

/** @throws AppError invalid, for a payload without the fields that the handler lives by. */
type EventHandler = (trx: Db, ctx: HandlerContext, payload: unknown) => Promise<void>;

/** A handler of payloads of the published type `P`, behind a look at those of its fields that matter. */
function when<P>(shape: z.ZodType, handle: Handler<P>): EventHandler {
  const isPayload = (payload: unknown): payload is P => shape.safeParse(payload).success;
  return async (trx, ctx, payload) => {
    if (!isPayload(payload)) {
      throw new AppError('invalid', 'The payload is not one of this event', { code: 'payload_malformed' });
    }
    await handle(trx, ctx, payload);
  };
}

const Repository = z.object({ name: z.string(), owner: z.object({ login: z.string() }) });
const Installation = z.object({
  id: z.int(),
  account: z.object({ login: z.string() }),
  permissions: z.record(z.string(), z.unknown()),
  events: z.array(z.string()),
});
const Names = z.array(z.object({ full_name: z.string() }));

const InstallationShape = z.object({
  action: z.string(),
  installation: Installation,
  repositories: Names.optional(),
});
const InstallationRepositoriesShape = z.object({
  installation: Installation,
  repositories_added: Names,
  repositories_removed: z.array(z.object({ full_name: z.string().optional() })),
});
const RepositoryShape = z.union([
  z.object({
    action: z.literal('renamed'),
    repository: Repository,
    changes: z.object({ repository: z.object({ name: z.object({ from: z.string() }) }) }),
  }),
  z.object({
    action: z.literal('transferred'),
    repository: Repository,
    changes: z.object({ owner: z.object({ from: z.object({}) }) }),
  }),
  z.object({ action: z.string().regex(/^(?!renamed$|transferred$)/) }),
]);

const CheckRunShape = z.object({
  check_run: z.object({
    id: z.int(),
    head_sha: z.string(),
    external_id: z.string().nullable(),
    check_suite: z.object({ head_branch: z.string().nullable() }),
  }),
  repository: Repository,
});
const RequestedActionShape = CheckRunShape.extend({
  action: z.literal('requested_action'),
  requested_action: z.object({ identifier: z.string().optional() }),
  sender: z.object({ id: z.int(), login: z.string() }),
});
const AnyCheckRunShape = z.union([
  RequestedActionShape,
  CheckRunShape.extend({ action: z.string().regex(/^(?!requested_action$)/) }),
]);
const CheckSuiteShape = z.object({
  action: z.string(),
  check_suite: z.object({ head_sha: z.string(), head_branch: z.string().nullable() }),
  repository: Repository,
});
const MergeGroupShape = z.object({
  action: z.string(),
  merge_group: z.object({ head_sha: z.string(), head_ref: z.string() }),
  repository: Repository,
});

/** The events that mean something to us (contract 7.10 to 7.15); any other is noted, and nothing more. */
export const EVENT_TABLE: ReadonlyMap<string, EventHandler> = new Map([
  ['check_run', when(AnyCheckRunShape, onCheckRun)],
  ['check_suite', when(CheckSuiteShape, onCheckSuite)],
  ['installation', when(InstallationShape, onInstallation)],
  ['installation_repositories', when(InstallationRepositoriesShape, onInstallationRepositories)],
  ['merge_group', when(MergeGroupShape, onMergeGroup)],
  ['repository', when(RepositoryShape, onRepository)],
]);
