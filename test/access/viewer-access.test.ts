import { describe, expect, it } from '@jest/globals';
import { requirePermission } from '../../src/access/viewer-access.ts';
import { AppError } from '../../src/errors.ts';

const editor = { role: 'EDITOR', isOwner: false, via: 'USER_GRANT', team: null } as const;

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('requiring a permission', () => {
  it('answers the access that has it', () => {
    expect(requirePermission(editor, 'suite.edit')).toBe(editor);
  });

  it('says that the suite is not there to somebody without access', () => {
    const failure = failureOf(() => requirePermission(undefined, 'suite.read'));
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: 'not_found', message: 'Suite not found' });
  });

  it('refuses too low a role', () => {
    expect(failureOf(() => requirePermission(editor, 'suite.share'))).toMatchObject({
      kind: 'forbidden',
      details: { code: 'role_too_low' },
    });
  });
});
