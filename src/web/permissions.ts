import { may, type Permission, type ViewerAccess } from '../access/role.ts';

/** What the viewer may do with a suite. Pages show only these actions; the domain rejects all others. */
export type Can = {
  approve: boolean;
  run: boolean;
  edit: boolean;
  share: boolean;
  access: boolean;
  link: boolean;
  tokens: boolean;
  targets: boolean;
  activate: boolean;
  delete: boolean;
};

export function listPermissions({ role }: Pick<ViewerAccess, 'role'>): Can {
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
