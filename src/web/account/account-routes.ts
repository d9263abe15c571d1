import type { Route } from '../web-route.ts';
import { getAccount, postName, postPassword, postUnlink } from './account-settings.ts';
import {
  getAccounts,
  getManagedAccount,
  postDisable,
  postEnable,
  postHandOverAll,
  postMakeAdministrator,
  postPasswordReset,
  postRemoveAdministrator,
  postSignOutAccount,
} from './administration.ts';
import { getEmailChoices, postEmailChoices, postSuiteEmailChoices } from './email-choices.ts';
import { getInvitation, postInvitation, postRegisterInvited } from './invitation-form.ts';
import { postPasskey, postPasskeySignIn, postRemovePasskey } from './passkey-forms.ts';
import { getForgotPassword, getResetPassword, postForgotPassword, postResetPassword } from './password-reset-forms.ts';
import { postPreferences, postTheme } from './preferences.ts';
import { getRegister, postRegister } from './register-form.ts';
import { postEndOtherSessions, postEndSession, postSignOut, postSignOutEverywhere } from './session-forms.ts';
import { getSignIn, getSignInLink, postSignIn, postSignInLink } from './sign-in-form.ts';
import { getTokens, postRevokeToken, postToken } from './tokens-form.ts';
import { getUnsubscribe, postUnsubscribe } from './unsubscribe-form.ts';

export const ACCOUNT_ROUTES: readonly Route[] = [
  getSignIn,
  postSignIn,
  getSignInLink,
  postSignInLink,
  postPasskeySignIn,
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
  postPasskey,
  postRemovePasskey,
  postEndSession,
  postEndOtherSessions,
  postSignOutEverywhere,
  postTheme,
  postPreferences,
  getEmailChoices,
  postEmailChoices,
  postSuiteEmailChoices,
  getUnsubscribe,
  postUnsubscribe,
  getTokens,
  postToken,
  postRevokeToken,
  getAccounts,
  getManagedAccount,
  postDisable,
  postEnable,
  postMakeAdministrator,
  postRemoveAdministrator,
  postSignOutAccount,
  postPasswordReset,
  postHandOverAll,
];
