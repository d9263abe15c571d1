import { may, type Permission, type SuiteRole, type ViewerAccess } from '../access/role.ts';

/** What the viewer may do with a suite. Pages show only these actions; the domain rejects all others. */
export type Can = ReturnType<typeof listPermissions>;

export function listPermissions({ role }: Pick<ViewerAccess, 'role'>) {
  const allows = (permission: Permission) => may(role, permission);
  return {
    approve: allows('suite.approve'),
    run: allows('suite.run'),
    edit: allows('suite.edit'),
    share: allows('suite.share'),
    access: allows('suite.access'),
    link: allows('suite.link'),
    tokens: allows('suite.tokens'),
    targets: allows('suite.targets'),
    activate: allows('suite.activate'),
    delete: allows('suite.delete'),
  };
}

/** The page that sets what passes the walls of the site, for those who may set it. */
export const linkAccess = ({ id, access }: { id: string; access: ViewerAccess }): string | null =>
  listPermissions(access).access ? `/suites/${id}/access` : null;

export const ROLE_NAMES: Record<SuiteRole, string> = {
  VIEWER: 'Viewer',
  REVIEWER: 'Reviewer',
  EDITOR: 'Editor',
  ADMIN: 'Admin',
};

/** What each role may do, as a sentence. */
export const ROLE_SENTENCES: Record<SuiteRole, string> = {
  VIEWER: 'Can view pages, runs, screenshots and history, and compare versions.',
  REVIEWER: 'Can also approve changes and restore old versions.',
  EDITOR: 'Can also start and cancel runs, start crawls, choose tracked pages, and change settings.',
  ADMIN: 'Can also share the suite, link a repository, and deactivate or delete the suite.',
};

/** The label next to the name of a suite. */
export function roleLabel({ isOwner, role }: Pick<ViewerAccess, 'isOwner' | 'role'>): string {
  return isOwner ? 'Owner' : ROLE_NAMES[role];
}
