import { describe, expect, it } from '@jest/globals';
import { isNameAllowed, NAME_MAX_LENGTH, normalizeName, toUserSummary } from '../../src/auth/user.ts';

describe('a name', () => {
  it('is trimmed, and nothing but blanks is no name', () => {
    expect(normalizeName('  Ada ')).toBe('Ada');
    expect(normalizeName('   ')).toBeNull();
    expect(normalizeName(undefined)).toBeNull();
    expect(normalizeName(null)).toBeNull();
  });

  it('may be in any script but not hold what no database stores', () => {
    expect(isNameAllowed('Ада 愛 👩‍🚀')).toBe(true);
    expect(isNameAllowed('می\u200cخواهم ❤\ufe0f')).toBe(true);
    expect(isNameAllowed('A\u0000da')).toBe(false);
    expect(isNameAllowed('Ada\ud83d')).toBe(false);
    // They look like Ada, like somebody else, or like nothing.
    for (const unseen of ['Ada\u200b', '\u202eadA', 'A\u2060da', '\ufeff\u00ad', '\u3164', 'Ada\u2028']) {
      expect([unseen, isNameAllowed(unseen)]).toEqual([unseen, false]);
    }
    expect(isNameAllowed('a'.repeat(NAME_MAX_LENGTH))).toBe(true);
    expect(isNameAllowed('a'.repeat(NAME_MAX_LENGTH + 1))).toBe(false);
  });
});

describe('a summary', () => {
  it('holds what others may see and nothing else', () => {
    const user = {
      id: '1',
      email: 'a@b.example',
      name: null,
      image: null,
      createdAt: new Date(),
      updatedAt: new Date(),
    };
    expect(toUserSummary(user)).toEqual({ id: '1', email: 'a@b.example', name: null, image: null });
  });
});
