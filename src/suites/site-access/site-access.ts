import { z } from 'zod';
import { rowSecrets } from '../../auth/jwt-secret.ts';
import { UserSummary } from '../../auth/user.ts';
import type { SelectedRow } from '../../db/query.ts';

/** Printable and without line breaks, so that it can be a header. */
const HeaderValue = z
  .string()
  .min(1, 'must not be empty')
  .max(8000, 'must have at most 8,000 characters')
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a single line of text');
const Secret = HeaderValue.trim().min(1, 'must not be empty').max(2000, 'must have at most 2,000 characters');
const Token = z
  .string()
  .max(200, 'must have at most 200 characters')
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a name without spaces');

/** Headers that the browser or the connection sets, or that have a field of their own, like cookies and credentials. */
const RESERVED =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|keep-alive|expect|origin|referer|cookie|accept-encoding|proxy-.*|sec-.*)$/i;

const Header = z.strictObject({
  name: Token.refine((name) => !RESERVED.test(name), 'is set by the browser and cannot be sent'),
  value: HeaderValue,
});

const CookieValue = z
  .string()
  .max(4096, 'must have at most 4,096 characters')
  .regex(/^[\x21-\x2b\x2d-\x3a\x3c-\x7e]*$/, 'must not contain spaces, commas or semicolons');

const PathOfSite = z
  .string()
  .max(2000, 'must have at most 2,000 characters')
  .regex(/^\/(?![/\\])[^\s\\]*$/, 'must be a path on the site, such as /login');

const Cookie = z.strictObject({
  name: Token,
  value: CookieValue,
  path: PathOfSite.default('/'),
  httpOnly: z.boolean().default(true),
});

const Selector = z.string().trim().min(1, 'must not be empty').max(500, 'must have at most 500 characters');

const Login = z
  .strictObject({
    path: PathOfSite,
    fields: z
      .array(z.strictObject({ selector: Selector, value: z.string().min(1, 'must not be empty').max(2000) }))
      .min(1, 'must have at least one field')
      .max(10, 'must have at most 10 fields'),
    /** Null: Enter in the last field. */
    submit: Selector.nullable().default(null),
    success: z.strictObject({ selector: Selector.optional(), path: z.string().trim().min(1).max(2000).optional() }),
  })
  .refine(({ success }) => success.selector !== undefined || success.path !== undefined, {
    path: ['success'],
    message: 'must have a selector or a path that shows that the login worked',
  });

const STATE_MAX = 200_000;

/** As Playwright writes it. Fields that are not used here are left out. */
const StorageState = z
  .object({
    cookies: z
      .array(
        z.object({
          name: z.string().min(1),
          value: z.string(),
          domain: z.string().min(1),
          path: z.string().default('/'),
          httpOnly: z.boolean().default(false),
          sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
        }),
      )
      .default([]),
    origins: z
      .array(
        z.object({
          origin: z.url(),
          localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
        }),
      )
      .default([]),
  })
  .refine(({ cookies, origins }) => cookies.length + origins.length > 0, 'must have cookies or origins')
  .refine((state) => JSON.stringify(state).length <= STATE_MAX, 'must be smaller than 200 kB');

/** What may pass a wall, by kind. */
export const SiteSecrets = z.strictObject({
  headers: z.array(Header).min(1, 'must not be empty').max(20, 'must have at most 20 headers').optional(),
  cookies: z.array(Cookie).min(1, 'must not be empty').max(50, 'must have at most 50 cookies').optional(),
  basic: z
    .strictObject({
      username: Secret.refine((name) => !name.includes(':'), 'must not contain a colon'),
      password: z.string().min(1, 'must not be empty').max(2000, 'must have at most 2,000 characters'),
    })
    .optional(),
  vercel: z.strictObject({ secret: Secret }).optional(),
  cloudflareAccess: z.strictObject({ clientId: Secret, clientSecret: Secret }).optional(),
  netlify: z.strictObject({ password: z.string().min(1, 'must not be empty').max(2000) }).optional(),
  login: Login.optional(),
  storageState: StorageState.optional(),
});

export type SiteSecrets = z.output<typeof SiteSecrets>;

export const SITE_SECRETS = rowSecrets({ table: 'site_access', id: 'test_suite_id', name: 'site-access' }, SiteSecrets);

export const ACCESS_KINDS = SiteSecrets.keyof().options;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** What may be shown of a kind: its names, never a value. */
export type AccessSummary = { kind: AccessKind; names: string[] };

function namesOf(secrets: SiteSecrets, kind: AccessKind): string[] {
  switch (kind) {
    case 'headers':
    case 'cookies':
      return (secrets[kind] ?? []).map(({ name }) => name);
    case 'login':
      return secrets.login === undefined ? [] : [secrets.login.path];
    case 'storageState':
      return (secrets.storageState?.cookies ?? []).map(({ name }) => name).slice(0, 50);
    case 'basic':
    case 'vercel':
    case 'cloudflareAccess':
    case 'netlify':
      return [];
  }
}

export function summarize(secrets: SiteSecrets): AccessSummary[] {
  return ACCESS_KINDS.filter((kind) => secrets[kind] !== undefined).map((kind) => ({
    kind,
    names: namesOf(secrets, kind),
  }));
}

/** As people read them. */
export const ACCESS_WORDS: Record<AccessKind, string> = {
  headers: 'headers',
  cookies: 'cookies',
  basic: 'basic authentication',
  vercel: 'Vercel protection bypass',
  cloudflareAccess: 'Cloudflare Access service token',
  netlify: 'Netlify password',
  login: 'form login',
  storageState: 'storage state',
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'site_access.preview_hosts': string[];
    'site_access.kinds': AccessSummary[];
  }
}

export const ACCESS_COLUMNS = [
  'test_suite_id',
  'revision',
  'origin',
  'preview_hosts',
  'kinds',
  'sealed',
  'updated_at',
] as const;

/**
 * The access as it is kept. `origin` is that of the suite when the access was entered: it is sent only there and to
 * `previewHosts`, which are globs.
 */
export type StoredAccess = SelectedRow<'site_access', typeof ACCESS_COLUMNS> & { suiteOrigin: string };

export const AccessChange = z.object({
  at: z.date(),
  /** Null: the account was deleted. */
  by: UserSummary.nullable(),
  kinds: z.array(z.enum(ACCESS_KINDS)),
});
export type AccessChange = z.output<typeof AccessChange>;
