import { z } from 'zod';

/*
 * What a payload must hold: of the published types, the fields that our handlers live by. GitHub's own payloads always
 * do; this keeps what a proxy or a hand has damaged from being taken for an event.
 */
const Repository = z.object({ name: z.string(), owner: z.object({ login: z.string() }) });
const Sender = z.object({ id: z.int(), login: z.string() });

const Installation = z.object({
  id: z.int(),
  /** An enterprise has a `slug` where others have a login. */
  account: z.union([z.object({ login: z.string() }), z.object({ slug: z.string() })]),
  permissions: z.record(z.string(), z.unknown()),
  events: z.array(z.string()),
});

const Names = z.array(z.object({ full_name: z.string() }));

export const InstallationShape = z.object({
  action: z.string(),
  installation: Installation,
  repositories: Names.optional(),
});

export const InstallationRepositoriesShape = z.object({
  installation: Installation,
  repositories_added: Names,
  repositories_removed: z.array(z.object({ full_name: z.string().optional() })),
});

export const RepositoryShape = z.union([
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

export const InstallationTargetShape = z.object({
  account: z.union([z.object({ login: z.string() }), z.object({ slug: z.string() })]),
  changes: z.object({
    login: z.object({ from: z.string() }).optional(),
    slug: z.object({ from: z.string() }).optional(),
  }),
  installation: z.object({ id: z.int() }),
});

export const PullRequestShape = z.object({
  action: z.string(),
  repository: Repository,
  pull_request: z.object({
    number: z.int(),
    state: z.enum(['open', 'closed']),
    draft: z.boolean().optional(),
    merged_at: z.iso.datetime({ offset: true }).nullish(),
    merged: z.boolean().nullish(),
    merge_commit_sha: z.string().nullish(),
    updated_at: z.iso.datetime({ offset: true }),
    head: z.object({ sha: z.string(), ref: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
});

export const DeploymentStatusShape = z.object({
  repository: Repository,
  deployment: z.object({ sha: z.string(), environment: z.string() }),
  deployment_status: z.object({ state: z.string() }),
});

export const StatusShape = z.object({
  repository: Repository,
  sha: z.string(),
  state: z.string(),
  context: z.string(),
});

export const CheckRunShape = z.object({
  action: z.string(),
  repository: Repository,
  sender: Sender,
  check_run: z.object({
    id: z.int(),
    head_sha: z.string(),
    check_suite: z.object({ head_branch: z.string().nullable() }),
  }),
  requested_action: z.object({ identifier: z.string() }).optional(),
});

export const CheckSuiteShape = z.object({
  action: z.string(),
  repository: Repository,
  check_suite: z.object({ head_sha: z.string(), head_branch: z.string().nullable() }),
});

export const MergeGroupShape = z.object({
  action: z.string(),
  repository: Repository,
  merge_group: z.object({ head_sha: z.string(), head_ref: z.string() }),
});
