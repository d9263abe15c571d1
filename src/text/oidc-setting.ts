import { z } from 'zod';
import { httpUrl, list } from './setting.ts';

/*
 * The settings of sign-in by OpenID Connect.
 */

/** What the members of a group become at each sign-in: an administrator, or somebody with a role on a suite. */
const GroupRole = z.object({
  group: z.string(),
  role: z.enum(['ADMINISTRATOR', 'VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN']),
  /** Null: an administrator of the installation. */
  suiteId: z.uuid().nullable(),
});
export type GroupRole = z.output<typeof GroupRole>;

const ENTRY = /^(\S.*)=(?:administrator|(viewer|reviewer|editor|admin)@([0-9a-f-]{36}))$/i;

/** `group=administrator` or `group=role@suite-id`, separated by commas. Names of groups keep their case. */
const groupRoles = z.string().transform((text, context): GroupRole[] =>
  text.split(',').flatMap((part) => {
    const [, group, role = 'administrator', suiteId = null] = ENTRY.exec(part.trim()) ?? [];
    const parsed = GroupRole.safeParse({ group, role: role.toUpperCase(), suiteId: suiteId?.toLowerCase() ?? null });
    if (parsed.success) return [parsed.data];
    const message = 'must be a list such as staff=administrator, design=reviewer@<id of a suite>';
    context.addIssue({ code: 'custom', message });
    return [];
  }),
);

/** The variables, as they are set. */
export const OidcEnvironment = z.object({
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(60, 'must be at most 60 characters').default('single sign-on'),
  OIDC_SCOPES: z
    .string()
    .regex(/\bopenid\b/, 'must contain openid')
    .default('openid email profile'),
  OIDC_ALLOWED_DOMAINS: list
    .refine(
      (domains) => domains.every((domain) => /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)),
      'must be a list of domains, such as example.com',
    )
    .default([]),
  OIDC_NAME_CLAIM: z.string().default('name'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  OIDC_GROUP_ROLES: groupRoles.default([]),
});

/** Null: no issuer is set. */
export function oidcSettings(e: z.output<typeof OidcEnvironment>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = e;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    /** As the issuer writes it: its tokens must name exactly this one. */
    issuer,
    clientId,
    clientSecret,
    /** What people call it: _Sign in with …_ */
    label: e.OIDC_LABEL,
    scopes: e.OIDC_SCOPES,
    /** In lower case. Empty: any. */
    allowedDomains: e.OIDC_ALLOWED_DOMAINS,
    nameClaim: e.OIDC_NAME_CLAIM,
    groupsClaim: e.OIDC_GROUPS_CLAIM,
    groupRoles: e.OIDC_GROUP_ROLES,
  };
}

export type OidcSettings = NonNullable<ReturnType<typeof oidcSettings>>;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

/** Which of these variables require others. */
export function missingForOidc(present: Record<string, string | undefined>): string[] {
  const { NODE_ENV, OIDC_ISSUER: issuer } = present;
  const three = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
  const problems = three.some((name) => present[name] !== undefined)
    ? three
        .filter((name) => present[name] === undefined)
        .map((name) => `${name}: is required for sign-in by OpenID Connect`)
    : [];
  if (NODE_ENV === 'production' && issuer?.startsWith('http:') === true && !LOOPBACK.test(issuer)) {
    problems.push('OIDC_ISSUER: must be an https URL in production');
  }
  return problems;
}
