import { z } from 'zod';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARACTERS } from '../../auth/passwords/password.ts';
import { IsoDate, namedObject, PublicId, recordFields } from './common-schemas.ts';

const User = namedObject('User', {
  ...recordFields,
  email: z.string(),
  name: z.string().nullable(),
  image: z.string().nullable(),
});

export const UserSummary = namedObject('UserSummary', {
  id: PublicId,
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});

const email = z.string().describe('Trimmed; not case-sensitive');
const password = z
  .string()
  .describe(`At least ${PASSWORD_MIN_CHARACTERS} characters, at most ${PASSWORD_MAX_BYTES} bytes of UTF-8`);

export const RegisterInput = namedObject('RegisterInput', {
  email,
  password,
  name: z.string().nullish(),
  invitation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The last part of the link of an invitation, which the new account accepts'),
});
export const LoginInput = namedObject('LoginInput', { email, password: z.string() });
export const ForgotPasswordInput = namedObject('ForgotPasswordInput', { email });
export const ResetPasswordInput = namedObject('ResetPasswordInput', { token: z.string().min(1), password });

export const AuthResponse = namedObject('AuthResponse', {
  user: User,
  token: z.string().describe('A JWT. Send it as `Authorization: Bearer <token>`.'),
});
export const MeResponse = namedObject('MeResponse', { user: User });

export const SignInLinkResponse = namedObject('SignInLinkResponse', {
  url: z.url().describe('Signs in the browser that opens it. Works once.'),
  expiresAt: IsoDate,
});

/** Where to go after signing in. Must be a path of this service; anything else is replaced by the start page. */
export const SignInQuery = z.object({ next: z.string().max(1000).optional() });

/** The parameters that GitHub adds to the callback URL (RFC 6749 4.1.2). */
export const GitHubCallbackQuery = z.object({
  code: z.string().max(1000).optional(),
  state: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});

/** The same of an OpenID Connect issuer, which may name itself (RFC 9207). */
export const OidcCallbackQuery = GitHubCallbackQuery.extend({
  // Some issuers send signed codes.
  code: z.string().max(8000).optional(),
  iss: z.string().max(1000).optional(),
});
