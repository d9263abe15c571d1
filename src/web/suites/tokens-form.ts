import { z } from 'zod';
import { createSuiteToken, readSuiteTokens, revokeSuiteToken } from '../../access/suite-tokens.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../auth/tokens/api-token.ts';
import type { Context } from '../../context.ts';
import { Id, onSuite } from '../../http/acts-on.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { capitalize } from '../../text/format.ts';
import { buildFields } from '../form-field.ts';
import { many } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { showSecret, TOKEN_FIELDS, tokenForm, tokenRow } from '../token-rows.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { atSettings } from './settings-tabs.ts';
import { LISTS, suitePage } from './suite-head.ts';

const SCOPE_SENTENCES: Record<TokenScope, string> = {
  upload: 'upload builds',
  run: 'start and cancel runs',
  read: 'read runs, results and screenshots',
};

const pathOf = (suiteId: string) => `/suites/${suiteId}/tokens`;

async function showTokens(
  ctx: Context,
  { suite }: { suite: SuiteFor<'suite.tokens'> },
  problem: Problem | null,
): Promise<Reply> {
  const path = pathOf(suite.id);
  const model = {
    problem,
    path,
    tokens: (await readSuiteTokens(ctx, suite)).map((token) => tokenRow(token, path)),
    fields: buildFields(TOKEN_FIELDS, problem),
    scopes: TOKEN_SCOPES.map((scope) => ({ scope, sentence: capitalize(SCOPE_SENTENCES[scope]) })),
    scopeProblem: problem?.fields['scopes'] ?? null,
  };
  return suitePage(ctx, suite, atSettings(suite, 'access'), { view: 'suites/tokens', title: 'API tokens', model });
}

export const getSuiteTokens = pageRoute({ path: '/suites/:id/tokens', ...onSuite('suite.tokens') }, showTokens);

const SuiteTokenForm = z.object({
  ...tokenForm,
  scopes: many.pipe(z.array(z.enum(TOKEN_SCOPES)).min(1, 'choose at least one')),
});

export const postSuiteToken = formRoute(
  { path: '/suites/:id/tokens', ...onSuite('suite.tokens'), form: SuiteTokenForm, redisplay: getSuiteTokens.show },
  async (ctx, { suite, form }) => {
    const { token, secret } = await createSuiteToken(ctx, suite, form);
    return showSecret(secret, token.name, pathOf(suite.id), LISTS[suite.kind].section);
  },
);

export const postRevokeSuiteToken = formRoute(
  { path: '/suites/:id/tokens/:tokenId/revoke', ...onSuite('suite.tokens'), params: z.object({ id: Id, tokenId: Id }) },
  async (ctx, { suite, params }) => {
    await revokeSuiteToken(ctx, suite, params.tokenId);
    return redirect(pathOf(suite.id), 'Token revoked');
  },
);
