import { describe, expect, it } from '@jest/globals';
import { reseal, seal, unseal } from '../../src/secrets/seal.ts';

const SECRET = 'a secret of thirty-two bytes, or more';

describe('a sealed text', () => {
  it('comes back with the same secret and purpose', () => {
    expect(unseal([SECRET], 'tokens', seal(SECRET, 'tokens', 'ghs_grün'))).toBe('ghs_grün');
    expect(unseal([SECRET], 'tokens', seal(SECRET, 'tokens', ''))).toBe('');
  });

  it('does not show the text, nor that two texts are the same', () => {
    const [one, two] = [seal(SECRET, 'tokens', 'ghs_token'), seal(SECRET, 'tokens', 'ghs_token')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('ghs_token');
  });

  it('is opened by no other secret and for no other purpose', () => {
    const sealed = seal(SECRET, 'tokens', 'text');
    expect(unseal([`${SECRET}!`], 'tokens', sealed)).toBeNull();
    expect(unseal([SECRET], 'states', sealed)).toBeNull();
  });

  it('is refused when one bit of it was changed or a part is missing', () => {
    const sealed = seal(SECRET, 'tokens', 'text');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const forged = Buffer.from(bytes);
      forged[index] = (forged[index] ?? 0) ^ 1;
      expect(unseal([SECRET], 'tokens', `v1.${forged.toString('base64url')}`)).toBeNull();
    }
    for (const text of ['', 'v1.', 'v2.abc', sealed.slice(0, 20), 'no seal']) {
      expect(unseal([SECRET], 'tokens', text)).toBeNull();
    }
  });

  it('is opened by a second secret, and sealed anew with the first', () => {
    const [before, now] = [SECRET, `${SECRET}, the new one`];
    const sealed = seal(before, 'tokens', 'text');
    expect(unseal([now, before], 'tokens', sealed)).toBe('text');
    const again = reseal([now, before], 'tokens', sealed);
    expect(unseal([now], 'tokens', again ?? '')).toBe('text');
    expect(reseal([now, before], 'tokens', again ?? '')).toBeNull();
    expect(reseal([now, 'a third secret'], 'tokens', sealed)).toBeNull();
  });
});
