import { z } from 'zod';
import { requireJwtSecret } from '../../auth/jwt-secret.ts';
import { issueWorkflowToken } from '../../auth/tokens/api-token.ts';
import { verifyIdentityToken } from '../../auth/tokens/verify-identity-token.ts';
import { TOKEN_SCOPES, type WorkflowLimits } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { AppError, forbidden, unprocessable } from '../../errors.ts';
import { findHeads } from '../../pull-requests/pull-request-run-store.ts';
import { findPullRequest } from '../../pull-requests/pull-request-store.ts';
import { findSuitesOfRepository } from '../../suites/suite-store.ts';
import { toRepositoryKey, type Suite } from '../../suites/suite.ts';
import { actionsIssuer } from '../app/addresses.ts';

/** What GitHub confirms about a job of a workflow. */
const Claims = z.object({
  /** `owner/repo` at the time. The name may belong to another repository later, so it is only displayed. */
  repository: z.string(),
  repository_id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  event_name: z.string(),
  ref: z.string(),
  sha: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{40,64}$/),
  run_id: z.string().optional(),
});

type WorkflowClaims = z.output<typeof Claims>;

/**
 * @throws AppError unauthenticated: GitHub did not issue the token, or not for this service, or it is too old; unavailable.
 */
async function readWorkflowClaims(
  ctx: Pick<Context, 'config' | 'network' | 'clock' | 'log' | 'issuerKeys'>,
  token: string,
): Promise<WorkflowClaims> {
  const audience = new URL(ctx.config.publicUrl).origin;
  const claims = await verifyIdentityToken(ctx, token, { issuer: actionsIssuer(ctx.config), audience });
  const parsed = Claims.safeParse(claims);
  if (parsed.success) return parsed.data;
  throw new AppError('unauthenticated', 'The identity token was rejected: it is not from a GitHub workflow', {
    code: 'identity_token_refused',
  });
}

/** The number in `refs/pull/7/merge`. Null: the event is not about a pull request. */
function readPullRequestNumber({ event_name: event, ref }: WorkflowClaims): number | null {
  if (event !== 'pull_request') return null;
  const [, number] = /^refs\/pull\/(\d{1,9})\/merge$/.exec(ref) ?? [];
  return number === undefined ? null : Number(number);
}

type WorkflowContext = Pick<Context, 'config' | 'db' | 'network' | 'clock' | 'log' | 'issuerKeys'>;

/** The token of a suite for a job, without a row of its own. */
export type WorkflowToken = { secret: string; testSuiteId: string; scopes: typeof TOKEN_SCOPES; expiresAt: Date };

/**
 * The same answer whether the suite does not exist, is linked elsewhere, or is inactive, so that it reveals nothing
 * about other people's suites.
 */
function notLinked({ repository, repository_id: id }: WorkflowClaims): AppError {
  return new AppError(
    'not_found',
    `No matching active suite is linked to ${repository} (repository ${id}). If the suite was linked a long time ago, Pixelgate learns the repository ID with GitHub’s next event. If the repository was recreated, link it again.`,
    { code: 'not_found' },
  );
}

/** The repository is found by its number alone, because its name may have belonged to another one. */
async function chooseSuite({ db }: WorkflowContext, claims: WorkflowClaims, wanted: string | null): Promise<Suite> {
  const linked = await findSuitesOfRepository(db, claims.repository_id);
  const [suite, ...others] = wanted === null ? linked : linked.filter(({ id }) => id === wanted);
  if (suite === undefined) throw notLinked(claims);
  if (others.length === 0) return suite;
  const names = linked.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw unprocessable(`Several suites are linked to ${claims.repository}. Choose one: ${names}`, 'suite_ambiguous');
}

/** In a pull request the job runs on a test merge, so what it builds counts as the pull request's head. */
async function pullRequestLimits(
  { db }: WorkflowContext,
  { codehost }: Suite,
  number: number | null,
): Promise<Pick<WorkflowLimits, 'commits' | 'pullRequest'>> {
  const key = codehost === null || number === null ? null : { ...toRepositoryKey(codehost), number };
  const pullRequest = key === null ? null : await findPullRequest(db, key);
  if (key === null || pullRequest === null) {
    throw forbidden('GitHub has not told Pixelgate about this pull request yet. Try again.', 'pull_request_unknown');
  }
  if (pullRequest.fromFork !== false) {
    throw forbidden('Pull requests from forks get no token', 'pull_request_from_fork');
  }
  const earlier = await findHeads(db, key);
  return { commits: [...new Set([pullRequest.headSha, ...earlier])], pullRequest: key.number };
}

async function readLimits(ctx: WorkflowContext, suite: Suite, claims: WorkflowClaims): Promise<WorkflowLimits> {
  const { repository_id: repositoryId, sha } = claims;
  switch (claims.event_name) {
    case 'pull_request_target':
      throw forbidden(
        'Workflows on pull_request_target get no token because they may run code from a fork. Use pull_request.',
        'pull_request_target',
      );
    case 'pull_request': {
      const limits = await pullRequestLimits(ctx, suite, readPullRequestNumber(claims));
      return { repositoryId, ...limits, commits: [sha, ...limits.commits] };
    }
    default:
      return { repositoryId, commits: [sha], pullRequest: null };
  }
}

/**
 * Gives a job of a GitHub workflow a token of 15 minutes for a suite that is linked to its repository. It acts for the
 * suite's owner, for the job's own commit: in a pull request, for the heads of that one.
 * @param testSuiteId null: the repository's only suite
 * @throws AppError unauthenticated, forbidden, not_found, unprocessable `suite_ambiguous`, unavailable
 */
export async function signInWorkflow(
  ctx: WorkflowContext,
  { token, testSuiteId }: { token: string; testSuiteId: string | null },
): Promise<WorkflowToken> {
  const claims = await readWorkflowClaims(ctx, token);
  const suite = await chooseSuite(ctx, claims, testSuiteId);
  const workflow = await readLimits(ctx, suite, claims);
  const within = { suiteId: suite.id, scopes: TOKEN_SCOPES, workflow };
  const issued = issueWorkflowToken(requireJwtSecret(ctx.config), { userId: suite.userId, within }, ctx.clock.now());
  ctx.log.info(
    {
      suiteId: suite.id,
      repository: claims.repository,
      repositoryId: claims.repository_id,
      event: claims.event_name,
      sha: claims.sha,
      workflowRun: claims.run_id ?? null,
    },
    'a workflow signed in',
  );
  return { secret: issued.token, testSuiteId: suite.id, scopes: TOKEN_SCOPES, expiresAt: issued.expiresAt };
}
