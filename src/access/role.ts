import type { TokenScope, UserSummary } from '../auth/user.ts';

/** Roles on a suite, lowest first (docs/rules.md, Who may do what). */
export const SUITE_ROLES = ['VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN'] as const;
export type SuiteRole = (typeof SUITE_ROLES)[number];

/** Where a role came from. Team grants are reserved: the teams feature is not built. */
export const ACCESS_SOURCES = ['OWNER', 'USER_GRANT', 'TEAM_GRANT'] as const;
type AccessSource = (typeof ACCESS_SOURCES)[number];

/** Which of a viewer's suites to list: owned and shared, owned, shared. */
export const SUITE_SCOPES = ['ALL', 'OWNED', 'SHARED'] as const;
export type SuiteScope = (typeof SUITE_SCOPES)[number];

export const PRINCIPAL_TYPES = ['USER', 'TEAM'] as const;
type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** The viewer's own access to a suite. The team is always null: team sharing is reserved. */
export type ViewerAccess = { role: SuiteRole; isOwner: boolean; via: AccessSource; team: null };

/** The lowest role that has each permission. */
const LEAST_ROLE = {
  /** The suite, its pages, history, runs, logs, results, baselines and images; compare versions. */
  'suite.read': 'VIEWER',
  /** Approve visuals; promote through the baselines API. */
  'suite.approve': 'REVIEWER',
  /** Run, cancel, rerun, crawl. */
  'suite.run': 'EDITOR',
  /** Upload a build. */
  'suite.upload': 'EDITOR',
  /** Act on pages; change name, description, baseUrl and config. */
  'suite.edit': 'EDITOR',
  /** Share, change and revoke grants. */
  'suite.share': 'ADMIN',
  /** Link or unlink a repository. */
  'suite.link': 'ADMIN',
  /** Read which access to its site a suite has, and change it. */
  'suite.access': 'ADMIN',
  /** List, make and revoke the suite's API tokens. */
  'suite.tokens': 'ADMIN',
  /** List and change who is told of what happens in the suite: webhooks and channels. */
  'suite.targets': 'ADMIN',
  /** Set isActive. */
  'suite.activate': 'ADMIN',
  'suite.delete': 'ADMIN',
} as const satisfies Record<string, SuiteRole>;

export type Permission = keyof typeof LEAST_ROLE;

const rankRole = (role: SuiteRole) => SUITE_ROLES.indexOf(role);

export const rolesBelow = (role: SuiteRole): SuiteRole[] => SUITE_ROLES.slice(0, rankRole(role));

export const isAtLeast = (role: SuiteRole, least: SuiteRole): boolean => rankRole(role) >= rankRole(least);

export function leastRole(permission: Permission): SuiteRole {
  return LEAST_ROLE[permission];
}

export function may(role: SuiteRole, permission: Permission): boolean {
  return isAtLeast(role, leastRole(permission));
}

/** What each scope of a suite's token permits, within the role of the person who created it. */
const SCOPE_PERMISSIONS = {
  upload: 'suite.upload',
  run: 'suite.run',
  read: 'suite.read',
} as const satisfies Record<TokenScope, Permission>;

export function isWithinScopes(scopes: readonly TokenScope[], permission: Permission): boolean {
  return scopes.some((scope) => SCOPE_PERMISSIONS[scope] === permission);
}

/** The fields of a suite that sharing needs. */
export type SharedSuite = {
  id: string;
  /** The owner. */
  userId: string;
};

/** A share of one suite with one principal. The team is always null: team sharing is reserved. */
export type Grant = {
  id: string;
  testSuiteId: string;
  principal: { type: PrincipalType; id: string };
  role: SuiteRole;
  user: UserSummary | null;
  team: null;
  grantedBy: UserSummary | null;
  createdAt: Date;
  updatedAt: Date;
};
