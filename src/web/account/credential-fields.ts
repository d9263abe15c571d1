import { EMAIL_MAX_LENGTH } from '../../auth/email.ts';
import { PASSWORD_MIN_CHARACTERS } from '../../auth/passwords/password.ts';
import { NAME_MAX_LENGTH } from '../../auth/user.ts';
import type { FieldSpec } from '../form-field.ts';

type Spec = Omit<FieldSpec, 'name'>;

/** All forms that ask for these fields use the same labels and the same hints to password managers. */
export const EMAIL: Spec = {
  label: 'Email address',
  type: 'email',
  required: true,
  attributes: { autocomplete: 'username', maxlength: EMAIL_MAX_LENGTH, spellcheck: 'false' },
};

export const PASSWORD: Spec = {
  label: 'Password',
  type: 'password',
  required: true,
  attributes: { autocomplete: 'current-password' },
};

/** The browser does not enforce the limits, because it counts neither bytes nor characters in the way the rule does. */
export const NEW_PASSWORD: Spec = {
  ...PASSWORD,
  note: `At least ${PASSWORD_MIN_CHARACTERS} characters.`,
  attributes: { autocomplete: 'new-password' },
};

export const NAME: Spec = {
  label: 'Name',
  note: 'Shown next to your approvals. If empty, your email address is shown.',
  attributes: { autocomplete: 'name', maxlength: NAME_MAX_LENGTH },
};
