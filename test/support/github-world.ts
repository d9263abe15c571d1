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

type Ancestry = { parent: string | null; at: Date };

export type Repository = {
  id: number;
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  /** As its people typed it. */
  homepage: string | null;
  archived: boolean;
  /** Commits that GitHub knows. A force-push removes them. */
  commits: Set<string>;
  /** The first parent of a commit that has one, and when it was made. */
  history: Map<string, Ancestry>;
  /** The newest commit of a branch, by its name. */
  branches: Map<string, string>;
  /** File contents, by `<commit>:<path>`. */
  files: Map<string, string>;
  /** The changed files of each pull request, by its number. */
  changed: Map<number, string[]>;
  /** Pull requests as the REST API lists them, in any order. */
  pulls: Map<number, { number: number; state: string; updated_at: string }>;
  deployments: { deployment: { id: number; sha: string; ref: string }; statuses: object[] }[];
  /** The last commit status of each context, by commit. */
  statuses: Map<string, object[]>;
  /** Checks of other Apps. */
  otherChecks: { head_sha: string }[];
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
  /** Attempts to deliver something to it, newest first. */
  deliveries: DeliveryAttempt[];
  /** The numbers of the attempts that were to be repeated, oldest first. */
  redelivered: number[];
};

type DeliveryAttempt = {
  id: number;
  /** The same for all attempts of a delivery. */
  guid: string;
  event: string;
  installation_id: number | null;
  status_code: number;
  delivered_at: string;
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
    app: {
      permissions: { ...PERMISSIONS, emails: 'read' },
      events: [...EVENTS],
      webhookUrl: '',
      deliveries: [],
      redelivered: [],
    },
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
      homepage: null,
      archived: false,
      commits: new Set(),
      history: new Map(),
      branches: new Map(),
      files: new Map(),
      changed: new Map(),
      pulls: new Map(),
      deployments: [],
      statuses: new Map(),
      otherChecks: [],
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

/** Adds a commit on top of another, made at that time. A branch, if one is named, moves to it. */
export function commitOnto(
  world: GitHubWorld,
  parent: string | null,
  text: string,
  { at, branch }: { at: Date; branch?: string },
): string {
  const sha = newCommit(world, text);
  world.repository.history.set(sha, { parent, at });
  if (branch !== undefined) world.repository.branches.set(branch, sha);
  return sha;
}

/** The newest commit that two commits or branches have in common. */
export function findMergeBase({ repository }: GitHubWorld, one: string, other: string) {
  const { branches, history } = repository;
  const line = (from: string): string[] => {
    const shas = [];
    for (let sha = branches.get(from) ?? from; sha !== '' && history.has(sha); sha = history.get(sha)?.parent ?? '')
      shas.push(sha);
    return shas;
  };
  const known = new Set(line(one));
  const sha = line(other).find((each) => known.has(each));
  const at = sha === undefined ? undefined : history.get(sha)?.at;
  return sha === undefined || at === undefined ? null : { sha, at };
}
