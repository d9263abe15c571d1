import { describe, expect, it } from '@jest/globals';
import { authorize, effectiveAccess, requirePermission } from '../../src/access/authorized.ts';
import type { Viewer } from '../../src/auth/user.ts';
import { AppError } from '../../src/errors.ts';

const editor = { role: 'EDITOR', isOwner: false, via: 'USER_GRANT', team: null } as const;

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('the access to a suite', () => {
  it.each([
    ['its owner', { ownerId: 'me', grantedRole: null }, { role: 'ADMIN', isOwner: true, via: 'OWNER', team: null }],
    ['its owner with a grant', { ownerId: 'me', grantedRole: 'VIEWER' as const }, { role: 'ADMIN', isOwner: true }],
    ['whom it is shared with', { ownerId: 'you', grantedRole: 'EDITOR' as const }, editor],
  ])('of %s', (_, suite, access) => {
    expect(effectiveAccess('me', suite)).toMatchObject(access);
  });

  it('is none for anybody else', () => {
    expect(effectiveAccess('me', { ownerId: 'you', grantedRole: null })).toBeNull();
  });
});

describe('requiring a permission', () => {
  it('lets the role pass that has it', () => {
    expect(failureOf(() => requirePermission(editor, 'suite.edit'))).toBeUndefined();
  });

  it('refuses too low a role', () => {
    const failure = failureOf(() => requirePermission(editor, 'suite.share'));
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: 'forbidden', details: { code: 'role_too_low' } });
  });
});

describe('authorizing', () => {
  const viewer: Viewer = {
    id: 'me',
    email: 'me@example.com',
    name: null,
    image: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  };

  it('gives the suite with its viewer, and leaves no mark in JSON', () => {
    const suite = authorize(viewer, { id: 'suite', access: editor }, 'suite.edit');
    expect(suite).toMatchObject({ id: 'suite', access: editor, viewer });
    expect(Object.keys(JSON.parse(JSON.stringify(suite)))).toEqual(['id', 'access', 'viewer']);
  });

  it('refuses too low a role', () => {
    const failure = failureOf(() => authorize(viewer, { access: editor }, 'suite.delete'));
    expect(failure).toMatchObject({ kind: 'forbidden' });
  });
});
