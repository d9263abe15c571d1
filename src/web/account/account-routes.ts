import type { Route } from '../web-route.ts';
import { getAccount, postName, postPassword } from './account-settings.ts';
import { getForgotPassword, postForgotPassword } from './forgot-password-form.ts';
import { getInvitation, postInvitation, postRegisterInvited } from './invitation-form.ts';
import { postUnlink } from './linked-account-forms.ts';
import { postPreferences } from './preferences-form.ts';
import { getRegister, postRegister } from './register-form.ts';
import { getResetPassword, postResetPassword } from './reset-password-form.ts';
import { postEndOtherSessions, postEndSession, postSignOutEverywhere } from './session-forms.ts';
import { getSignIn, postSignIn } from './sign-in-form.ts';
import { getSignInLink, postSignInLink } from './sign-in-by-link.ts';
import { postSignOut } from './sign-out.ts';
import { getTokens, postRevokeToken, postToken } from './tokens-form.ts';
import { postTheme } from './theme-form.ts';

export const ACCOUNT_ROUTES: readonly Route[] = [
  getSignIn,
  postSignIn,
  getSignInLink,
  postSignInLink,
  postSignOut,
  getRegister,
  postRegister,
  getInvitation,
  postInvitation,
  postRegisterInvited,
  getForgotPassword,
  postForgotPassword,
  getResetPassword,
  postResetPassword,
  getAccount,
  postName,
  postPassword,
  postUnlink,
  postEndSession,
  postEndOtherSessions,
  postSignOutEverywhere,
  postTheme,
  postPreferences,
  getTokens,
  postToken,
  postRevokeToken,
];
