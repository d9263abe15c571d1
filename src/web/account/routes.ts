import type { Route } from '../route.ts';
import { getAccount, postName, postPassword, postSignOutEverywhere } from './account.ts';
import { getForgotPassword, postForgotPassword } from './forgot-password.ts';
import { getRegister, postRegister } from './register.ts';
import { getResetPassword, postResetPassword } from './reset-password.ts';
import { getSignIn, postSignIn } from './sign-in.ts';
import { getSignInLink, postSignInLink } from './sign-in-link.ts';
import { postSignOut } from './sign-out.ts';
import { postTheme } from './theme.ts';

export const ACCOUNT_ROUTES: readonly Route[] = [
  getSignIn,
  postSignIn,
  getSignInLink,
  postSignInLink,
  postSignOut,
  getRegister,
  postRegister,
  getForgotPassword,
  postForgotPassword,
  getResetPassword,
  postResetPassword,
  getAccount,
  postName,
  postPassword,
  postSignOutEverywhere,
  postTheme,
];
