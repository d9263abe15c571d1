import { z } from 'zod';
import { createToken, readTokens, revokeToken } from '../../auth/tokens/create-token.ts';
import { Id } from '../../http/acts-on.ts';
import { buildFields } from '../form-field.ts';
import { showToken, TOKEN_FIELDS, tokenForm, tokenRow } from '../suites/tokens-form.ts';
import { formRoute, pageRoute, redirect } from '../web-route.ts';

const PATH = '/account/tokens';

export const getTokens = pageRoute({ path: PATH }, async (ctx, { viewer }, problem) => {
  const model = {
    problem,
    path: PATH,
    tokens: (await readTokens(ctx, viewer)).map((token) => tokenRow(token, PATH)),
    fields: buildFields(TOKEN_FIELDS, problem),
  };
  return { kind: 'page', view: 'account/tokens', title: 'API tokens', model, section: 'account' };
});

export const postToken = formRoute(
  { path: PATH, form: z.object(tokenForm), redisplay: getTokens.show },
  async (ctx, { viewer, form }) => {
    return showToken(await createToken(ctx, viewer, form), PATH, null);
  },
);

export const postRevokeToken = formRoute(
  { path: `${PATH}/:tokenId/revoke`, params: z.object({ tokenId: Id }) },
  async (ctx, { viewer, params }) => {
    await revokeToken(ctx, viewer, params.tokenId);
    return redirect(PATH, 'Token revoked');
  },
);
