import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { CreateCheck, UpdateCheck } from './github-operations.ts';

export type Person = {
  id: number;
  login: string;
  name: string;
  email: string;
  /** Undefined: true. Null: the App may not read it. */
  isEmailVerified?: boolean | null;
};

export type CheckRun = z.output<typeof CreateCheck> & {
  id: number;
  status: 'queued' | 'in_progress' | 'completed';
  /** Every `status` or `status/conclusion` so far, without repetition. */
  history: string[];
};

export type Installation = {
  id: number;
  account: { id: number; login: string; type: string };
  permissions: Record<string, string>;
  events: string[];
  suspendedAt: string | null;
  removed: boolean;
};

export type Repository = {
  id: number;
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  archived: boolean;
  /** Commits that GitHub knows. A force-push removes them. */
  commits: Set<string>;
  /** File contents, by `<commit>:<path>`. */
  files: Map<string, string>;
  /** The changed files of each pull request, by its number. */
  changed: Map<number, string[]>;
  /** Rules of the default branch, as the REST API returns them. */
  rules: object[];
  /** Checks that classic branch protection requires for the default branch. */
  requiredChecks: { context: string; app_id: number | null }[];
};

/** The settings of the App itself. */
type App = {
  permissions: Record<string, string>;
  events: string[];
  webhookUrl: string;
  /** Deliveries to it, newest first. */
  deliveries: { event: string; installation_id: number | null; status_code: number; delivered_at: string }[];
};

/** What GitHub knows: one installation on one repository, and the people who may sign in. */
export type GitHubWorld = {
  app: App;
  /** Codes of the manifest flow. Each works once. */
  manifestCodes: Set<string>;
  installation: Installation;
  repository: Repository;
  checks: CheckRun[];
  /** The person whose browser is sent to GitHub. */
  person: Person | null;
  /** Valid tokens and their owners. Null stands for the installation. */
  tokens: Map<string, Person | null>;
  /** Codes of the web flow. Each works once. */
  codes: Map<string, { person: Person; challenge: string; redirectUri: string }>;
  /** How long tokens of people are valid. Null: until they are revoked. */
  userTokenSeconds: number | null;
  /** Each works once. */
  refreshTokens: Map<string, Person>;
};

const PERMISSIONS = {
  checks: 'write',
  contents: 'read',
  deployments: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
};
const EVENTS = ['check_run', 'check_suite', 'deployment_status', 'merge_group', 'pull_request', 'repository', 'status'];

/** As the examples of GitHub's webhooks name them. */
export function newWorld(): GitHubWorld {
  return {
    app: { permissions: { ...PERMISSIONS, emails: 'read' }, events: [...EVENTS], webhookUrl: '', deliveries: [] },
    manifestCodes: new Set(),
    installation: {
      id: 375706,
      account: { id: 21031067, login: 'Codertocat', type: 'User' },
      permissions: { ...PERMISSIONS },
      events: [...EVENTS],
      suspendedAt: null,
      removed: false,
    },
    repository: {
      id: 186853002,
      owner: 'Codertocat',
      name: 'Hello-World',
      private: false,
      defaultBranch: 'master',
      archived: false,
      commits: new Set(),
      files: new Map(),
      changed: new Map(),
      rules: [],
      requiredChecks: [],
    },
    checks: [],
    person: null,
    tokens: new Map(),
    codes: new Map(),
    userTokenSeconds: null,
    refreshTokens: new Map(),
  };
}

export function newToken(world: GitHubWorld, prefix: string, person: Person | null): string {
  const token = `${prefix}_${randomBytes(18).toString('hex')}`;
  world.tokens.set(token, person);
  return token;
}

let numbers = 4;

export function createCheck(world: GitHubWorld, said: z.output<typeof CreateCheck>): CheckRun {
  numbers += 1;
  const status = said.conclusion === undefined ? (said.status ?? 'queued') : 'completed';
  const check: CheckRun = { ...said, id: numbers, status, history: [] };
  world.checks.push(check);
  note(check);
  return check;
}

/** Fields that are left out keep their values. A check that is open again has no end. */
export function updateCheck(check: CheckRun, said: z.output<typeof UpdateCheck>): void {
  Object.assign(check, said, said.conclusion === undefined ? {} : { status: 'completed' });
  if (check.status !== 'completed') {
    delete check.conclusion;
    delete check.completed_at;
  }
  note(check);
}

function note(check: CheckRun): void {
  const said = check.conclusion === undefined ? check.status : `${check.status}/${check.conclusion}`;
  if (check.history.at(-1) !== said) check.history.push(said);
}

/** Adds a commit. */
export function newCommit(world: GitHubWorld, text: string, files: Record<string, string> = {}): string {
  const sha = createHash('sha1').update(text).digest('hex');
  world.repository.commits.add(sha);
  for (const [path, content] of Object.entries(files)) world.repository.files.set(`${sha}:${path}`, content);
  return sha;
}
