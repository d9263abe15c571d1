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
import { getForgotPassword, postForgotPassword, getResetPassword, postResetPassword } from './password-reset-forms.ts';
import { getInvitation, postInvitation, postRegisterInvited } from './invitation-form.ts';
import { postPreferences, postTheme } from './preferences.ts';
import { getRegister, postRegister } from './register-form.ts';
import { postEndOtherSessions, postEndSession, postSignOutEverywhere, postSignOut } from './session-forms.ts';
import { getSignIn, postSignIn, getSignInLink, postSignInLink } from './sign-in-form.ts';
import { getUnsubscribe, postUnsubscribe } from './unsubscribe-form.ts';
import { getTokens, postRevokeToken, postToken } from './tokens-form.ts';

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
