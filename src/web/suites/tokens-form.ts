import { z } from 'zod';
import { createSuiteToken, readSuiteTokens, revokeSuiteToken } from '../../access/suite-tokens.ts';
import { TOKEN_LIFE, TOKEN_NAME_MAX_LENGTH, type ApiToken } from '../../auth/tokens/api-token.ts';
import type { CreatedToken } from '../../auth/tokens/create-token.ts';
import { knownName, TOKEN_SCOPES, type TokenScope } from '../../auth/user.ts';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { capitalize } from '../../text/format.ts';
import { requiredText } from '../../text/input-words.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { asking, buildFields, many, sentValues, type FieldSpec, type Problem } from '../form-field.ts';
import { formRoute, pageRoute, redirect, type Reply } from '../web-route.ts';
import { atSettings, showOnce, suitePage } from './suite-head.ts';

const LIVES = [7, 30, 90, 365, 730];

/** The form fields of every kind of token. */
export const tokenForm = {
  name: requiredText(TOKEN_NAME_MAX_LENGTH),
  expiresInDays: typedNumber(TOKEN_LIFE.least, TOKEN_LIFE.most),
};

const TOKEN_FIELDS: Record<'name' | 'expiresInDays', FieldSpec> = {
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
function tokenRow(token: ApiToken, path: string) {
  const { id, name, scopes, owner } = token;
  return {
    ...token,
    scopes: scopes?.join(', ') ?? null,
    by: scopes === null ? null : knownName(owner),
    revoke: asking('Revoke', `Revoke ${name}? Anything that uses it will stop working.`, `${path}/${id}/revoke`, {
      small: true,
      button: 'Revoke token',
    }),
  };
}

/** @param suite null: the token is a person's own */
export const showToken = ({ token, secret }: CreatedToken, back: string, suite: SuiteForViewer | null): Reply =>
  showOnce(suite, { view: 'account/token-created', title: 'New API token', model: { secret, name: token.name, back } });

const SCOPE_SENTENCES: Record<TokenScope, string> = {
  upload: 'upload builds',
  run: 'start and cancel runs',
  read: 'read runs, results and screenshots',
};

/** A list of tokens, with the form for a new one. @param scopes those to choose from. Null: it has none */
export const tokensPage = (
  { tokens, path, scopes }: { tokens: ApiToken[]; path: string; scopes: readonly TokenScope[] | null },
  problem: Problem | null,
) => ({
  view: 'account/tokens',
  title: 'API tokens',
  model: {
    problem,
    path,
    tokens: tokens.map((token) => tokenRow(token, path)),
    fields: buildFields(TOKEN_FIELDS, problem),
    scopes:
      scopes?.map((scope) => ({
        scope,
        sentence: capitalize(SCOPE_SENTENCES[scope]),
        checked: (sentValues(problem, 'scopes') ?? scopes).includes(scope),
      })) ?? null,
    scopeProblem: problem?.fields['scopes'] ?? null,
  },
});

const pathOf = (suiteId: string) => `/suites/${suiteId}/tokens`;
export const getSuiteTokens = pageRoute(
  { path: '/suites/:id/tokens', ...onSuite('suite.tokens') },
  async (ctx, { suite }, problem) => {
    const tokens = await readSuiteTokens(ctx, suite);
    const page = tokensPage({ tokens, path: pathOf(suite.id), scopes: TOKEN_SCOPES }, problem);
    return suitePage(ctx, suite, atSettings(suite, 'access'), page);
  },
);

const SuiteTokenForm = z.object({
  ...tokenForm,
  scopes: many.pipe(z.array(z.enum(TOKEN_SCOPES)).min(1, 'choose at least one')),
});

export const postSuiteToken = formRoute(
  { path: '/suites/:id/tokens', ...onSuite('suite.tokens'), form: SuiteTokenForm, redisplay: getSuiteTokens.show },
  async (ctx, { suite, form }) => {
    return showToken(await createSuiteToken(ctx, suite, form), pathOf(suite.id), suite);
  },
);

export const postRevokeSuiteToken = formRoute(
  { path: '/suites/:id/tokens/:tokenId/revoke', ...inSuite('suite.tokens', { tokenId: Id }) },
  async (ctx, { suite, params }) => {
    await revokeSuiteToken(ctx, suite, params.tokenId);
    return redirect(pathOf(suite.id), 'Token revoked');
  },
);
