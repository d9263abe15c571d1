import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { APP_ENVIRONMENT, OAUTH } from './github-app.ts';
import {
  createCheck,
  findMergeBase,
  newToken,
  updateCheck,
  type CheckRun,
  type GitHubWorld,
  type Installation,
  type Person,
  type Repository,
} from './github-world.ts';

type Said = {
  /** The URL of this GitHub. */
  origin: string;
  parameters: Record<string, string>;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  // It was checked against the operation's schema.
  body: any;
  /** Whose token came with the request. */
  person: Person | null;
};

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

type Answerer = (world: GitHubWorld, said: Said) => Answer;

const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, body, headers });
export const refused = (status: number, message: string): Answer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
});
const notFound = () => refused(404, 'Not Found');

function page<T>(
  all: T[],
  { query }: Said,
  path: string,
  origin: string,
): { items: T[]; headers: Record<string, string> } {
  const size = Number(query['per_page'] ?? 30);
  const number = Number(query['page'] ?? 1);
  const next = `<${origin}${path}?per_page=${size}&page=${number + 1}>; rel="next"`;
  const items = all.slice((number - 1) * size, number * size);
  return { items, headers: number * size < all.length ? { link: next } : {} };
}

const presentInstallation = (one: Installation, { origin }: Said) => ({
  id: one.id,
  html_url: `${origin}/settings/installations/${one.id}`,
  account: one.account,
  app_id: 4711,
  target_type: one.account.type,
  repository_selection: 'selected',
  permissions: one.permissions,
  events: one.events,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  suspended_at: one.suspendedAt,
  suspended_by: null,
});

const presentRepository = (one: Repository, { account }: Installation) => ({
  id: one.id,
  name: one.name,
  full_name: `${one.owner}/${one.name}`,
  owner: account,
  private: one.private,
  default_branch: one.defaultBranch,
  homepage: one.homepage,
  archived: one.archived,
});

const presentCheck = (check: CheckRun, { origin }: Said) => ({
  external_id: '',
  details_url: null,
  started_at: null,
  ...check,
  url: `${origin}/api/v3/check-runs/${check.id}`,
  html_url: `${origin}/check-runs/${check.id}`,
  conclusion: check.conclusion ?? null,
  completed_at: check.completed_at ?? null,
  // Ours, not one of GitHub's.
  actions: undefined,
  history: undefined,
});

function isOther({ repository }: GitHubWorld, { parameters }: Said): boolean {
  const asked = `${parameters['owner']}/${parameters['repo']}`.toLowerCase();
  return asked !== `${repository.owner}/${repository.name}`.toLowerCase();
}

/** What GitHub responds for a repository before it reads the rest of the request. */
function inRepository(answer: Answerer, does: 'reads' | 'writes' = 'reads'): Answerer {
  return (world, said) => {
    if (isOther(world, said)) return notFound();
    if (does === 'writes' && world.repository.archived) {
      return refused(403, 'Repository was archived so is read-only.');
    }
    return answer(world, said);
  };
}

const createToken: Answerer = (world, { parameters }) => {
  const { installation } = world;
  if (installation.removed || parameters['installation_id'] !== String(installation.id)) return notFound();
  if (installation.suspendedAt !== null) return refused(403, 'This installation has been suspended');
  return {
    status: 201,
    body: {
      token: newToken(world, 'ghs', null),
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: installation.permissions,
      repository_selection: 'selected',
    },
  };
};

const content: Answerer = ({ repository }, { parameters, query, origin }) => {
  const ref = query['ref'] ?? repository.defaultBranch;
  if (/^[0-9a-f]{40}$/.test(ref) && !repository.commits.has(ref)) {
    return refused(404, `No commit found for the ref ${ref}`);
  }
  const { path = '' } = parameters;
  const text = repository.files.get(`${ref}:${path}`);
  if (text === undefined) return notFound();
  // GitHub breaks base64 into lines.
  const encoded = Buffer.from(text).toString('base64').replace(/.{60}/g, '$&\n');
  return ok({
    type: 'file',
    encoding: 'base64',
    size: Buffer.byteLength(text),
    name: path.split('/').at(-1),
    path,
    content: encoded,
    sha: createHash('sha1').update(text).digest('hex'),
    url: `${origin}/api/v3/contents/${path}`,
  });
};

const comparison: Answerer = (world, { parameters }) => {
  const [base = '', head = ''] = parameters['basehead']?.split('...') ?? [];
  const common = findMergeBase(world, base, head);
  if (common === null) return notFound();
  const person = { name: 'Ada', email: 'ada@example.com', date: common.at.toISOString().replace(/\.\d+/, '') };
  return ok({
    status: 'diverged',
    merge_base_commit: { sha: common.sha, commit: { author: person, committer: person, message: 'Prices' } },
    total_commits: 0,
    commits: [],
    files: [],
  });
};

const changedFiles: Answerer = ({ repository }, said) => {
  const number = said.parameters['pull_number'] ?? '';
  const names = repository.changed.get(Number(number)) ?? [];
  const { items, headers } = page(
    names,
    said,
    `/api/v3/repositories/${repository.id}/pulls/${number}/files`,
    said.origin,
  );
  const file = { status: 'modified', additions: 1, deletions: 1, changes: 2 };
  return ok(
    items.map((filename) => ({ ...file, filename })),
    headers,
  );
};

const checkCreated: Answerer = (world, said) => {
  if (!world.repository.commits.has(said.body.head_sha)) {
    return refused(422, `No commit found for SHA: ${said.body.head_sha}`);
  }
  return { status: 201, body: presentCheck(createCheck(world, said.body), said) };
};

const checkUpdated: Answerer = (world, said) => {
  const check = world.checks.find(({ id }) => String(id) === said.parameters['check_run_id']);
  if (check === undefined) return notFound();
  updateCheck(check, said.body);
  return ok(presentCheck(check, said));
};

const checksListed: Answerer = (world, said) => {
  const { check_name: name, filter = 'latest', status } = said.query;
  const found = world.checks
    .filter((check) => check.head_sha === said.parameters['ref'])
    .filter((check) => name === undefined || check.name === name)
    .filter((check) => status === undefined || check.status === status)
    .filter((check, index, all) => filter === 'all' || !all.slice(index + 1).some((later) => later.name === check.name))
    .toReversed();
  const others = world.repository.otherChecks.filter(
    (check) => name === undefined && check.head_sha === said.parameters['ref'],
  );
  const all = [...others, ...found.map((check) => presentCheck(check, said))];
  return ok({ total_count: all.length, check_runs: all });
};

const authorize: Answerer = (world, { query }) => {
  const { person } = world;
  const back = new URL(query['redirect_uri'] ?? '');
  back.searchParams.set('state', query['state'] ?? '');
  if (person === null) back.searchParams.set('error', 'access_denied');
  else {
    const code = newToken(world, 'code', null);
    world.codes.set(code, {
      person,
      challenge: query['code_challenge'] ?? '',
      redirectUri: query['redirect_uri'] ?? '',
    });
    back.searchParams.set('code', code);
  }
  return { status: 302, headers: { location: back.href } };
};

function grantTo(world: GitHubWorld, person: Person): Answer {
  const granted = { access_token: newToken(world, 'ghu', person), token_type: 'bearer', scope: '' };
  const { userTokenSeconds: seconds, refreshTokens } = world;
  if (seconds === null) return ok(granted);
  const refreshToken = `ghr_${refreshTokens.size}_${granted.access_token}`;
  refreshTokens.set(refreshToken, person);
  const lasting = { refresh_token: refreshToken, refresh_token_expires_in: 15_897_600 };
  return ok({ ...granted, ...lasting, expires_in: seconds });
}

/** GitHub refuses with 200. */
const userToken: Answerer = (world, { body }) => {
  if (body.grant_type === 'refresh_token') {
    const person = world.refreshTokens.get(body.refresh_token);
    world.refreshTokens.delete(body.refresh_token);
    if (person !== undefined) return grantTo(world, person);
    return ok({ error: 'bad_refresh_token', error_description: 'The refresh token passed is incorrect or expired.' });
  }
  const granted = world.codes.get(body.code);
  world.codes.delete(body.code);
  const challenge = createHash('sha256').update(String(body.code_verifier)).digest('base64url');
  if (granted === undefined || granted.redirectUri !== body.redirect_uri || granted.challenge !== challenge) {
    return ok({ error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' });
  }
  return grantTo(world, granted.person);
};

/** Returns the App's secrets once. */
const appCreated: Answerer = (world, { parameters, origin }) => {
  if (!world.manifestCodes.delete(parameters['code'] ?? '')) return notFound();
  return {
    status: 201,
    body: {
      id: Number(APP_ENVIRONMENT.APP_ID),
      slug: 'pixelgate',
      name: 'Pixelgate',
      html_url: `${origin}/apps/pixelgate`,
      client_id: OAUTH.GITHUB_CLIENT_ID,
      client_secret: OAUTH.GITHUB_CLIENT_SECRET,
      webhook_secret: APP_ENVIRONMENT.WEBHOOK_SECRET,
      pem: APP_ENVIRONMENT.PRIVATE_KEY,
    },
  };
};

const emails: Answerer = (_, { person }) => {
  if (person?.isEmailVerified === null) return refused(403, 'Resource not accessible by integration');
  const verified = person?.isEmailVerified ?? true;
  return ok([{ email: person?.email, primary: true, verified, visibility: 'private' }]);
};

const ownRepositories: Answerer = ({ repository, installation }) => {
  return ok({ total_count: 1, repositories: [presentRepository(repository, installation)] });
};

const branch = ({ defaultBranch, requiredChecks: checks }: Repository) => {
  const enabled = checks.length > 0;
  const required = { contexts: checks.map(({ context }) => context), checks };
  return {
    name: defaultBranch,
    protected: enabled,
    protection: {
      enabled,
      required_status_checks: { enforcement_level: enabled ? 'non_admins' : 'off', ...required },
    },
  };
};

const deliveries: Answerer = ({ app }, { query, origin }) => {
  const size = Number(query['per_page'] ?? 30);
  const from = Number(query['cursor'] ?? 0);
  const next = `<${origin}/api/v3/app/hook/deliveries?per_page=${size}&cursor=${from + size}>; rel="next"`;
  return ok(app.deliveries.slice(from, from + size), app.deliveries.length > from + size ? { link: next } : {});
};

const redelivered: Answerer = ({ app }, { parameters }) => {
  const attempt = app.deliveries.find(({ id }) => String(id) === parameters['delivery_id']);
  if (attempt === undefined) return notFound();
  app.redelivered.push(attempt.id);
  return { status: 202, body: {} };
};

/** As it is asked for: most recently updated first. */
const pullsListed: Answerer = ({ repository }, said) => {
  const { state = 'open', sort, direction } = said.query;
  if (sort !== 'updated' || direction !== 'desc') return refused(422, 'Not prepared for this list');
  const all = [...repository.pulls.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  const { items, headers } = page(all, said, `/api/v3/repositories/${repository.id}/pulls`, said.origin);
  const etag = `W/"${createHash('sha256').update(JSON.stringify(items)).digest('hex')}"`;
  if (said.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return ok(items, { ...headers, etag });
};

const pullShown: Answerer = ({ repository }, { parameters }) => {
  const pull = repository.pulls.get(Number(parameters['pull_number']));
  return pull === undefined ? notFound() : ok(pull);
};

const deploymentsListed: Answerer = ({ repository }, { query }) => {
  const { sha, ref } = query;
  const found = repository.deployments
    .map(({ deployment }) => deployment)
    .filter((each) => (sha === undefined || each.sha === sha) && (ref === undefined || each.ref === ref));
  return ok(found.toReversed());
};

const deploymentStatuses: Answerer = ({ repository }, { parameters }) => {
  const found = repository.deployments.find(({ deployment }) => String(deployment.id) === parameters['deployment_id']);
  return found === undefined ? notFound() : ok(found.statuses.toReversed());
};

const combinedStatus: Answerer = ({ repository }, { parameters }) => {
  const { ref = '' } = parameters;
  const statuses = repository.statuses.get(ref) ?? [];
  return ok({ state: 'pending', sha: ref, total_count: statuses.length, statuses });
};

/** By the operation's name. Other repositories and installations return 404, as on GitHub. */
export const ANSWERS: Readonly<Record<string, Answerer>> = {
  'apps/create-from-manifest': appCreated,
  'apps/get-authenticated': ({ app: { permissions, events } }) =>
    ok({ id: 4711, slug: 'pixelgate', name: 'Pixelgate', permissions, events }),
  'apps/get-webhook-config-for-app': ({ app }) => ok({ content_type: 'json', insecure_ssl: '0', url: app.webhookUrl }),
  'apps/list-webhook-deliveries': deliveries,
  'apps/redeliver-webhook-delivery': redelivered,
  'apps/get-installation': ({ installation }, said) =>
    !installation.removed && said.parameters['installation_id'] === String(installation.id)
      ? ok(presentInstallation(installation, said))
      : notFound(),
  'apps/create-installation-access-token': createToken,
  'apps/list-repos-accessible-to-installation': ownRepositories,
  'repos/get': inRepository(({ repository, installation }) => ok(presentRepository(repository, installation))),
  'repos/get-branch': inRepository(({ repository }) => ok(branch(repository))),
  'repos/get-branch-rules': inRepository(({ repository }) => ok(repository.rules)),
  'repos/get-content': inRepository(content),
  'repos/compare-commits-with-basehead': inRepository(comparison),
  'pulls/list': inRepository(pullsListed),
  'pulls/get': inRepository(pullShown),
  'repos/list-deployments': inRepository(deploymentsListed),
  'repos/list-deployment-statuses': inRepository(deploymentStatuses),
  'repos/get-combined-status-for-ref': inRepository(combinedStatus),
  'pulls/list-files': inRepository(changedFiles),
  'checks/create': inRepository(checkCreated, 'writes'),
  'checks/update': inRepository(checkUpdated, 'writes'),
  'checks/list-for-ref': inRepository(checksListed),
  'users/get-authenticated': (_, { person }) => {
    const { id, login, name, email, isEmailVerified } = person ?? {};
    const shown = isEmailVerified === null ? null : email;
    return ok({ id, login, name, email: shown, type: 'User', avatar_url: 'https://github.test/a.png' });
  },
  'users/list-emails-for-authenticated-user': emails,
  'apps/list-installations-for-authenticated-user': ({ installation }, said) =>
    ok({ total_count: 1, installations: [presentInstallation(installation, said)] }),
  'apps/list-installation-repos-for-authenticated-user': (world, said) =>
    said.parameters['installation_id'] === String(world.installation.id) ? ownRepositories(world, said) : notFound(),
  'oauth/authorize': authorize,
  'oauth/access-token': userToken,
};
