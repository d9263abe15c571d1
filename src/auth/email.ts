/** RFC 5321 4.5.3.1: a path of 256 octets, less its angle brackets. */
export const EMAIL_MAX_LENGTH = 254;

export const EMAIL_RULE = 'must be an email address, such as ada@example.com';

const LOCAL_PART = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Trimmed. The case stays as it was typed: two addresses are compared without case, but shown and mailed as given. */
export function normaliseEmail(email: string): string {
  return email.trim();
}

/** What is equal for addresses that count as the same account: a key for rate limits and jobs. */
export function emailKey(email: string): string {
  return normaliseEmail(email).toLowerCase();
}

/**
 * ASCII only. Beyond ASCII the lower case of two different addresses can be the same (a dotless i, the Kelvin sign), and a
 * reset link would then go to someone else; a domain in another script is written in its `xn--` form.
 */
export function isEmailAllowed(email: string): boolean {
  const normalised = normaliseEmail(email);
  if (normalised.length > EMAIL_MAX_LENGTH) return false;
  const at = normalised.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(normalised.slice(0, at)) && DOMAIN.test(normalised.slice(at + 1));
}
