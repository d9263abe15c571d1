/** RFC 5321 4.5.3.1: a path has at most 256 octets, including its two angle brackets. */
export const EMAIL_MAX_LENGTH = 254;

export const EMAIL_RULE = 'must be an email address, such as ada@example.com';

const LOCAL_PART = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Trims the address. Keeps its case: addresses are compared without case, but shown and mailed as they were typed. */
export function normalizeEmail(email: string): string {
  return email.trim();
}

/** The same key for all addresses that count as the same account. For rate limits and jobs. */
export function emailKey(email: string): string {
  return normalizeEmail(email).toLowerCase();
}

/**
 * Allows only ASCII. Beyond ASCII, two different addresses can have the same lower case (a dotless i, the Kelvin sign),
 * and a reset link could go to someone else. A domain in another script is written in its `xn--` form.
 */
export function isEmailAllowed(email: string): boolean {
  const normalized = normalizeEmail(email);
  if (normalized.length > EMAIL_MAX_LENGTH) return false;
  const at = normalized.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(normalized.slice(0, at)) && DOMAIN.test(normalized.slice(at + 1));
}
