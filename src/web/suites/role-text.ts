import type { SuiteRole, ViewerAccess } from '../../access/role.ts';

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
