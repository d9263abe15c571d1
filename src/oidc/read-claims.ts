import { z } from 'zod';
import type { ExternalIdentity } from '../auth/account.ts';
import { isEmailAllowed, normalizeEmail } from '../auth/user.ts';
import { forbidden } from '../errors.ts';
import type { OidcSettings } from '../text/oidc-setting.ts';

/**
 * What an issuer says about a person. Which claims hold the name and the groups is configured (`OIDC_NAME_CLAIM`,
 * `OIDC_GROUPS_CLAIM`).
 */
const Claims = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  // Some issuers send it as text.
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  preferred_username: z.string().max(254).optional().catch(undefined),
  picture: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .optional()
    .catch(undefined),
});
export type Claims = z.output<typeof Claims>;

/**
 * Claims of the identity token and of the user info endpoint. The latter win, but what the token says of its own email
 * address is not said of another one.
 */
export function readClaims(idToken: object, userInfo: object): Claims {
  const claims = Claims.parse({ ...idToken, ...userInfo });
  const isOther = !('email_verified' in userInfo) && Claims.parse(idToken).email !== claims.email;
  return isOther ? { ...claims, email_verified: undefined } : claims;
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** @throws AppError forbidden `email_missing`, `email_unverified`, `domain_not_allowed` */
function requireAllowedEmail({ label, allowedDomains }: OidcSettings, claims: Claims): string {
  if (claims.email === undefined || !isEmailAllowed(claims.email)) {
    throw forbidden(`${label} did not send your email address, which Pixelgate needs`, 'email_missing');
  }
  const email = normalizeEmail(claims.email);
  if (allowedDomains.length === 0) return email;
  if (claims.email_verified !== true) {
    throw forbidden(
      `${label} has not verified your email address ${email}. Only verified addresses may sign in.`,
      'email_unverified',
    );
  }
  if (allowedDomains.includes(domainOf(email))) return email;
  throw forbidden(
    `${email} may not sign in here. Only email addresses of ${allowedDomains.join(', ')} may.`,
    'domain_not_allowed',
  );
}

/**
 * The person that the claims are about.
 * @throws AppError forbidden: the installation does not let them in.
 */
export function toIdentity(oidc: OidcSettings, claims: Claims): ExternalIdentity {
  const email = requireAllowedEmail(oidc, claims);
  const name = claims[oidc.nameClaim];
  const isVerified = claims.email_verified === true;
  return {
    provider: 'oidc',
    // A subject is unique only at its issuer. With the issuer in it, the next issuer's people are not taken for this one's.
    accountId: `${oidc.issuer} ${claims.sub}`,
    login: claims.preferred_username ?? email,
    name: typeof name === 'string' ? name : null,
    image: claims.picture ?? null,
    verifiedEmails: isVerified ? [email] : [],
    otherEmails: isVerified ? [] : [email],
    tokens: null,
    mayRegister: oidc.allowedDomains.length > 0,
  };
}

/** The person's groups. Empty if the claim is missing or is not a list of texts. One text is one group. */
export function readGroups({ groupsClaim }: OidcSettings, claims: Claims): string[] {
  const claim = claims[groupsClaim];
  const groups: unknown[] = Array.isArray(claim) ? claim : [claim];
  return groups.filter((group) => typeof group === 'string');
}
