import { EMAIL_MAX_LENGTH } from '../../auth/email.ts';
import { PASSWORD_MIN_CHARACTERS } from '../../auth/password.ts';
import { NAME_MAX_LENGTH } from '../../auth/user.ts';
import type { FieldSpec } from '../form-field.ts';

type Spec = Omit<FieldSpec, 'name'>;

/** The same words, and the same hints to a password manager, on every form that asks for these. */
export const EMAIL: Spec = {
  label: 'E-mail address',
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

/** The browser does not enforce the limits: it counts neither bytes nor characters as the rule does. */
export const NEW_PASSWORD: Spec = {
  ...PASSWORD,
  note: `${PASSWORD_MIN_CHARACTERS} characters at least.`,
  attributes: { autocomplete: 'new-password' },
};

export const NAME: Spec = {
  label: 'Name',
  note: 'Shown beside what you approve. Left empty, your e-mail address is.',
  attributes: { autocomplete: 'name', maxlength: NAME_MAX_LENGTH },
};
