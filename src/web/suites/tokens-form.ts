import { z } from 'zod';
import { createSuiteToken, readSuiteTokens, revokeSuiteToken } from '../../access/suite-tokens.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../auth/tokens/api-token.ts';
import type { Context } from '../../context.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { capitalize } from '../../text/format.ts';
import { buildFields } from '../form-field.ts';
import { Id, many, SuiteParams } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { showSecret, TOKEN_FIELDS, tokenForm, tokenRow } from '../token-rows.ts';
import { formRoute, pageRoute } from '../web-route.ts';
import { atSettings } from './settings-tabs.ts';
import { LISTS, suitePage, type SuiteRequest } from './suite-head.ts';

const SCOPE_SENTENCES: Record<TokenScope, string> = {
  upload: 'upload builds',
  run: 'start and cancel runs',
  read: 'read runs, results and screenshots',
};

const pathOf = (suiteId: string) => `/suites/${suiteId}/tokens`;

async function showTokens(
  ctx: Context,
  { viewer, params }: SuiteRequest,
  problem: Problem | null = null,
): Promise<Reply> {
  const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
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

export const getSuiteTokens = pageRoute({ path: '/suites/:id/tokens', params: SuiteParams }, showTokens);

const SuiteTokenForm = z.object({
  ...tokenForm,
  scopes: many.pipe(z.array(z.enum(TOKEN_SCOPES)).min(1, 'choose at least one')),
});

export const postSuiteToken = formRoute(
  { path: '/suites/:id/tokens', params: SuiteParams, form: SuiteTokenForm, redisplay: showTokens },
  async (ctx, { viewer, params, form }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
    const { token, secret } = await createSuiteToken(ctx, suite, form);
    return showSecret(secret, token.name, pathOf(suite.id), LISTS[suite.kind].section);
  },
);

export const postRevokeSuiteToken = formRoute(
  { path: '/suites/:id/tokens/:tokenId/revoke', params: z.object({ id: Id, tokenId: Id }) },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.tokens');
    await revokeSuiteToken(ctx, suite, params.tokenId);
    return redirect(pathOf(suite.id), 'Token revoked');
  },
);
