import { z } from 'zod';

/** Who may send a request to GitHub's REST API. */
type Caller = 'app' | 'installation' | 'user' | 'anyone';

export type Operation = {
  /** GitHub's name for the operation. */
  id: string;
  method: string;
  /** Below `/api/v3`, or on the web host if `onWebHost` is set. */
  path: string;
  onWebHost?: boolean;
  caller: Caller;
  query: z.ZodType;
  /** Undefined: a body is not accepted. */
  body?: z.ZodType;
};

const count = (low: number, high: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(low).max(high));
const paged = { per_page: count(1, 100).optional(), page: count(1, 10_000).optional() };
const NoQuery = z.strictObject({});
const Paged = z.strictObject(paged);

const Sha = z.string().regex(/^[0-9a-f]{40}$/, 'is not a commit');
const Time = z.iso.datetime();
const HttpUrl = z.url({ protocol: /^https?$/ });
const Text = z.string().refine((text) => Buffer.byteLength(text) <= 65_535, 'is longer than 65535 bytes');

const Output = z.strictObject({ title: z.string().min(1).max(255), summary: Text, text: Text.optional() });
const Action = z.strictObject({
  label: z.string().min(1).max(20),
  description: z.string().min(1).max(40),
  identifier: z.string().min(1).max(20),
});

/** `stale` is left out, because only GitHub itself may set it. */
const Conclusion = z.enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']);

const checkFields = {
  details_url: HttpUrl.optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: Time.optional(),
  conclusion: Conclusion.optional(),
  completed_at: Time.optional(),
  output: Output.optional(),
  actions: z.array(Action).max(3).optional(),
};

type Ending = { status?: string | undefined; conclusion?: string | undefined; completed_at?: string | undefined };

/** A check is completed if and only if it has a conclusion. Only then may it have an end time. */
function endsWhole({ status, conclusion, completed_at: completedAt }: Ending): boolean {
  const isOver = status === 'completed' || (status === undefined && conclusion !== undefined);
  return isOver ? conclusion !== undefined : conclusion === undefined && completedAt === undefined;
}
const ENDING = 'status, conclusion and completed_at do not go together';

export const CreateCheck = z
  .strictObject({ name: z.string().min(1), head_sha: Sha, ...checkFields })
  .refine(endsWhole, ENDING);
export const UpdateCheck = z
  .strictObject({ name: z.string().min(1).optional(), ...checkFields })
  .refine(endsWhole, ENDING);

const ChecksQuery = z.strictObject({
  ...paged,
  check_name: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  filter: z.enum(['latest', 'all']).optional(),
  app_id: count(1, Number.MAX_SAFE_INTEGER).optional(),
});

const TokenRequest = z.union([
  z.strictObject({
    client_id: z.string(),
    client_secret: z.string(),
    code: z.string(),
    redirect_uri: HttpUrl.optional(),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
  }),
  z.strictObject({
    client_id: z.string(),
    client_secret: z.string(),
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string(),
  }),
]);

const AuthorizeQuery = z.strictObject({
  client_id: z.string(),
  redirect_uri: HttpUrl,
  state: z.string().min(16),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
});

const TokenScope = z.strictObject({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.int()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
});

const REPO = '/repos/{owner}/{repo}';

/**
 * What the service may request from GitHub, written by hand from GitHub's documentation, with only the fields it lists.
 * A request for any other operation is a mistake.
 */
const OPERATIONS: readonly Operation[] = [
  { id: 'apps/get-authenticated', method: 'GET', path: '/app', caller: 'app', query: NoQuery },
  {
    id: 'apps/create-from-manifest',
    method: 'POST',
    path: '/app-manifests/{code}/conversions',
    caller: 'anyone',
    query: NoQuery,
  },
  { id: 'apps/get-webhook-config-for-app', method: 'GET', path: '/app/hook/config', caller: 'app', query: NoQuery },
  {
    id: 'apps/list-webhook-deliveries',
    method: 'GET',
    path: '/app/hook/deliveries',
    caller: 'app',
    query: z.strictObject({
      per_page: paged.per_page,
      cursor: z.string().optional(),
      status: z.enum(['success', 'failure']).optional(),
    }),
  },
  {
    id: 'apps/redeliver-webhook-delivery',
    method: 'POST',
    path: '/app/hook/deliveries/{delivery_id}/attempts',
    caller: 'app',
    query: NoQuery,
  },
  {
    id: 'apps/get-installation',
    method: 'GET',
    path: '/app/installations/{installation_id}',
    caller: 'app',
    query: NoQuery,
  },
  {
    id: 'apps/create-installation-access-token',
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    caller: 'app',
    query: NoQuery,
    body: TokenScope.optional(),
  },
  {
    id: 'apps/list-repos-accessible-to-installation',
    method: 'GET',
    path: '/installation/repositories',
    caller: 'installation',
    query: Paged,
  },
  { id: 'repos/get', method: 'GET', path: REPO, caller: 'installation', query: NoQuery },
  { id: 'repos/get-branch', method: 'GET', path: `${REPO}/branches/{branch}`, caller: 'installation', query: NoQuery },
  {
    id: 'repos/get-branch-rules',
    method: 'GET',
    path: `${REPO}/rules/branches/{branch}`,
    caller: 'installation',
    query: Paged,
  },
  {
    id: 'repos/get-content',
    method: 'GET',
    path: `${REPO}/contents/{path}`,
    caller: 'installation',
    query: z.strictObject({ ref: z.string().min(1).optional() }),
  },
  {
    id: 'repos/compare-commits-with-basehead',
    method: 'GET',
    path: `${REPO}/compare/{basehead}`,
    caller: 'installation',
    query: Paged,
  },
  {
    id: 'pulls/list',
    method: 'GET',
    path: `${REPO}/pulls`,
    caller: 'installation',
    query: z.strictObject({
      ...paged,
      state: z.enum(['open', 'closed', 'all']).optional(),
      sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
    }),
  },
  {
    id: 'pulls/get',
    method: 'GET',
    path: `${REPO}/pulls/{pull_number}`,
    caller: 'installation',
    query: NoQuery,
  },
  {
    id: 'repos/list-deployments',
    method: 'GET',
    path: `${REPO}/deployments`,
    caller: 'installation',
    query: z.strictObject({ ...paged, sha: Sha.optional(), ref: z.string().optional() }),
  },
  {
    id: 'repos/list-deployment-statuses',
    method: 'GET',
    path: `${REPO}/deployments/{deployment_id}/statuses`,
    caller: 'installation',
    query: Paged,
  },
  {
    id: 'repos/get-combined-status-for-ref',
    method: 'GET',
    path: `${REPO}/commits/{ref}/status`,
    caller: 'installation',
    query: Paged,
  },
  {
    id: 'pulls/list-files',
    method: 'GET',
    path: `${REPO}/pulls/{pull_number}/files`,
    caller: 'installation',
    query: Paged,
  },
  {
    id: 'checks/create',
    method: 'POST',
    path: `${REPO}/check-runs`,
    caller: 'installation',
    query: NoQuery,
    body: CreateCheck,
  },
  {
    id: 'checks/update',
    method: 'PATCH',
    path: `${REPO}/check-runs/{check_run_id}`,
    caller: 'installation',
    query: NoQuery,
    body: UpdateCheck,
  },
  {
    id: 'checks/list-for-ref',
    method: 'GET',
    path: `${REPO}/commits/{ref}/check-runs`,
    caller: 'installation',
    query: ChecksQuery,
  },
  { id: 'users/get-authenticated', method: 'GET', path: '/user', caller: 'user', query: NoQuery },
  {
    id: 'users/list-emails-for-authenticated-user',
    method: 'GET',
    path: '/user/emails',
    caller: 'user',
    query: Paged,
  },
  {
    id: 'apps/list-installations-for-authenticated-user',
    method: 'GET',
    path: '/user/installations',
    caller: 'user',
    query: Paged,
  },
  {
    id: 'apps/list-installation-repos-for-authenticated-user',
    method: 'GET',
    path: '/user/installations/{installation_id}/repositories',
    caller: 'user',
    query: Paged,
  },
  {
    id: 'oauth/authorize',
    method: 'GET',
    path: '/login/oauth/authorize',
    onWebHost: true,
    caller: 'anyone',
    query: AuthorizeQuery,
  },
  {
    id: 'oauth/access-token',
    method: 'POST',
    path: '/login/oauth/access_token',
    onWebHost: true,
    caller: 'anyone',
    query: NoQuery,
    body: TokenRequest,
  },
];

export type Recognized = { operation: Operation; parameters: Record<string, string> };

const API = '/api/v3';

function patternOf({ path, onWebHost }: Operation): RegExp {
  const names = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    // Octokit encodes the slashes of a path within a repository as %2F, and no other slashes.
    name === 'path' || name === 'branch' ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  return new RegExp(`^${onWebHost === true ? '' : API}${names}$`);
}

const PATTERNS = OPERATIONS.map((operation) => ({ operation, pattern: patternOf(operation) }));

/** Null: GitHub has no such operation, or the service should not need it. */
export function recognize(method: string, pathname: string): Recognized | null {
  for (const { operation, pattern } of PATTERNS) {
    const match = operation.method === method ? pattern.exec(pathname) : null;
    if (match === null) continue;
    const named = Object.entries(match.groups ?? {});
    return { operation, parameters: Object.fromEntries(named.map(([name, text]) => [name, decodeURIComponent(text)])) };
  }
  return null;
}
