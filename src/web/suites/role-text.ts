import type { SuiteRole, ViewerAccess } from '../../access/role.ts';

export const ROLE_NAMES: Record<SuiteRole, string> = {
  VIEWER: 'Viewer',
  REVIEWER: 'Reviewer',
  EDITOR: 'Editor',
  ADMIN: 'Admin',
};

/** What each role may (contract 4), as a sentence. */
export const ROLE_SENTENCES: Record<SuiteRole, string> = {
  VIEWER: 'Sees the pages, runs, pictures and history, and compares versions.',
  REVIEWER: 'Also approves changes and makes old versions current again.',
  EDITOR: 'Also starts and cancels runs, crawls, chooses the pages, and changes the settings.',
  ADMIN: 'Also shares, links a repository, switches the suite off, and deletes it.',
};

/** As it stands beside the name of a suite. */
export function roleLabel({ isOwner, role }: Pick<ViewerAccess, 'isOwner' | 'role'>): string {
  return isOwner ? 'Owner' : ROLE_NAMES[role];
}
