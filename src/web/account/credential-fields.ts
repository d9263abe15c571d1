import type { FieldSpec } from '../form-field.ts';

type Spec = Omit<FieldSpec, 'name'>;

/** The same words, and the same hints to a password manager, on every form that asks for these. */
export const EMAIL: Spec = {
  label: 'E-mail address',
  type: 'email',
  required: true,
  attributes: { autocomplete: 'username', maxlength: 254, spellcheck: 'false' },
};

export const PASSWORD: Spec = {
  label: 'Password',
  type: 'password',
  required: true,
  attributes: { autocomplete: 'current-password' },
};

/** Its bounds are told, not enforced by the browser, which counts neither bytes nor characters as the rule does. */
export const NEW_PASSWORD: Spec = {
  ...PASSWORD,
  note: '8 characters at least.',
  attributes: { autocomplete: 'new-password' },
};

export const NAME: Spec = {
  label: 'Name',
  note: 'Shown beside what you approve. Left empty, your e-mail address is.',
  attributes: { autocomplete: 'name', maxlength: 200 },
};
