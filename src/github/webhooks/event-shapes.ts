import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { toRepositoryKey, type RepositoryKey } from '../../suites/suite.ts';
import { InstallationShape } from '../app/installation-facts.ts';

/*
 * The fields that our handlers read from a payload. The types of the events are inferred from these. A payload that
 * lacks a required field is rejected. GitHub's own payloads have all of them: a test parses its published examples.
 */

/** A field that handlers can do without. A null or an invalid value counts as missing. */
const soft = <S extends z.ZodType>(shape: S) => shape.optional().catch(undefined);

/** The App's installation that receives the event. */
const ForInstallation = soft(z.object({ id: z.int() }));
const Repository = z.object({
  name: z.string(),
  owner: z.object({ login: z.string() }),
  html_url: soft(z.string()),
  default_branch: soft(z.string()),
});
export function repositoryKey({ name, owner }: Pick<z.output<typeof Repository>, 'name' | 'owner'>): RepositoryKey {
  return toRepositoryKey({ owner: owner.login, repo: name });
}

const Sender = z.object({ id: z.int(), login: z.string() });

const Names = z.array(z.object({ full_name: z.string() }));

export const InstallationEventShape = z.object({
  action: z.string(),
  installation: InstallationShape,
  repositories: Names.optional(),
});

export const InstallationRepositoriesShape = z.object({
  installation: InstallationShape,
  repositories_added: Names,
  repositories_removed: z.array(z.object({ full_name: z.string().optional() })),
});

const FormerOwner = soft(z.object({ login: z.string() }));

export const PushShape = z.object({ ref: z.string(), repository: Repository });

export const RepositoryShape = z.union([
  z.object({
    action: z.literal('renamed'),
    repository: Repository,
    installation: ForInstallation,
    changes: z.object({ repository: z.object({ name: z.object({ from: z.string() }) }) }),
  }),
  z.object({
    action: z.literal('transferred'),
    repository: Repository,
    installation: ForInstallation,
    changes: z.object({ owner: z.object({ from: z.object({ user: FormerOwner, organization: FormerOwner }) }) }),
  }),
  z.object({
    action: z
      .string()
      .regex(/^(?!renamed$|transferred$)/)
      .transform(() => 'other' as const),
  }),
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
  /** The head that a push replaced. */
  before: soft(z.string()),
  repository: Repository,
  installation: ForInstallation,
  pull_request: z.object({
    number: z.int(),
    state: z.enum(['open', 'closed']),
    draft: z.boolean().optional(),
    title: soft(z.string()),
    merged_at: z.iso.datetime({ offset: true }).nullish(),
    merged: z.boolean().nullish(),
    merge_commit_sha: z.string().nullish(),
    updated_at: z.iso.datetime({ offset: true }),
    head: z.object({ sha: z.string(), ref: z.string(), repo: soft(z.object({ full_name: z.string() })) }),
    base: z.object({ ref: z.string(), repo: soft(z.object({ full_name: z.string() })) }),
  }),
});

export const DeploymentStatusShape = z.object({
  repository: Repository,
  deployment: z.object({
    id: soft(z.int()),
    sha: z.string(),
    ref: soft(z.string()),
    environment: z.string(),
    production_environment: soft(z.boolean()),
    creator: soft(z.object({ login: z.string() })),
  }),
  deployment_status: z.object({
    id: soft(z.int()),
    state: z.string(),
    environment: soft(z.string()),
    environment_url: soft(z.string()),
    target_url: soft(z.string()),
    log_url: soft(z.string()),
    description: soft(z.string()),
  }),
});

export const StatusShape = z.object({
  repository: Repository,
  id: soft(z.int()),
  sha: z.string(),
  state: z.string(),
  context: z.string(),
  description: soft(z.string()),
  target_url: soft(z.string()),
});

/** Any program may dispatch events. Vercel's have this payload; other payloads count as missing. */
export const RepositoryDispatchShape = z.object({
  action: z.string(),
  repository: Repository,
  client_payload: soft(
    z.object({
      environment: z.string(),
      git: z.object({ sha: z.string(), ref: soft(z.string()) }),
      project: z.object({ name: z.string() }),
      url: soft(z.string()),
    }),
  ),
});

export const CheckRunShape = z.object({
  action: z.string(),
  repository: Repository,
  installation: ForInstallation,
  sender: Sender,
  check_run: z.object({
    id: z.int(),
    external_id: soft(z.string()),
    head_sha: z.string(),
    check_suite: z.object({ head_branch: z.string().nullable() }),
    name: soft(z.string()),
    status: soft(z.string()),
    conclusion: soft(z.string()),
    details_url: soft(z.string()),
    html_url: soft(z.string()),
    started_at: soft(z.iso.datetime({ offset: true })),
    completed_at: soft(z.iso.datetime({ offset: true })),
    output: soft(z.object({ title: soft(z.string()), summary: soft(z.string()), text: soft(z.string()) })),
    app: soft(z.object({ id: z.int(), slug: z.string() })),
  }),
  requested_action: z.object({ identifier: z.string() }).optional(),
});

export const CheckSuiteShape = z.object({
  action: z.string(),
  repository: Repository,
  installation: ForInstallation,
  check_suite: z.object({ head_sha: z.string(), head_branch: z.string().nullable() }),
});

export const MergeGroupShape = z.object({
  action: z.string(),
  repository: Repository,
  installation: ForInstallation,
  merge_group: z.object({ head_sha: z.string(), head_ref: z.string() }),
});

export type CheckRunEvent = z.output<typeof CheckRunShape>;
export type CheckSuiteEvent = z.output<typeof CheckSuiteShape>;
export type DeploymentStatusEvent = z.output<typeof DeploymentStatusShape>;
export type InstallationEvent = z.output<typeof InstallationEventShape>;
export type InstallationRepositoriesEvent = z.output<typeof InstallationRepositoriesShape>;
export type InstallationTargetEvent = z.output<typeof InstallationTargetShape>;
export type MergeGroupEvent = z.output<typeof MergeGroupShape>;
export type PullRequestEvent = z.output<typeof PullRequestShape>;
export type PushEvent = z.output<typeof PushShape>;
export type RepositoryDispatchEvent = z.output<typeof RepositoryDispatchShape>;
export type RepositoryEvent = z.output<typeof RepositoryShape>;
export type StatusEvent = z.output<typeof StatusShape>;

/**
 * What a webhook handler may use. It records and enqueues, and calls no other service (docs/rules.md, The code host).
 */
export type HandlerContext = Pick<Context, 'config' | 'clock' | 'log'>;

/** Handles what was stored, in the transaction that marks it as handled. */
export type Handler<P> = (trx: Db, ctx: HandlerContext, payload: P) => Promise<void>;
