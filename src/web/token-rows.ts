import { TOKEN_LIFE, TOKEN_NAME_MAX_LENGTH, type ApiToken } from '../auth/tokens/api-token.ts';
import { trimmedText } from '../text/trimmed-text.ts';
import { typedNumber } from '../text/typed-number.ts';
import { asking } from './asking.ts';
import type { FieldSpec } from './form-field.ts';
import type { Reply, Section } from './reply.ts';

const LIVES = [7, 30, 90, 365, 730];

/** The form fields of every kind of token. */
export const tokenForm = {
  name: trimmedText(TOKEN_NAME_MAX_LENGTH).min(1, 'must not be empty'),
  expiresInDays: typedNumber(TOKEN_LIFE.least, TOKEN_LIFE.most),
};

export const TOKEN_FIELDS: Record<'name' | 'expiresInDays', Omit<FieldSpec, 'name'>> = {
  name: {
    label: 'Name',
    required: true,
    note: 'What the token is for, such as “Docs CI”.',
    attributes: { maxlength: TOKEN_NAME_MAX_LENGTH, autocomplete: 'off' },
  },
  expiresInDays: {
    label: 'Expires in',
    type: 'select',
    value: TOKEN_LIFE.usual,
    options: LIVES.map((days) => ({ value: String(days), label: `${days} days` })),
  },
};

/** A row of the partial `token-list`. @param path of the list; the form that revokes posts below it */
export function tokenRow(token: ApiToken, path: string) {
  const { id, name, scopes, owner } = token;
  return {
    ...token,
    scopes: scopes?.join(', ') ?? null,
    by: scopes === null ? null : (owner.name ?? owner.email),
    revoke: asking('Revoke', `Revoke ${name}? Anything that uses it will stop working.`, `${path}/${id}/revoke`, {
      small: true,
      button: 'Revoke token',
    }),
  };
}

/**
 * The page that shows a new token's secret. It is the answer to the form itself: a redirect would have to carry the
 * secret.
 */
export function showSecret(secret: string, name: string, back: string, section: Section): Reply {
  return {
    kind: 'page',
    view: 'account/token-created',
    title: 'New API token',
    width: 'narrow',
    model: { secret, name, back },
    section,
  };
}
