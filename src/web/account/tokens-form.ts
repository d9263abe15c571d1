import { z } from 'zod';
import { createToken, readTokens, revokeToken } from '../../auth/tokens/create-token.ts';
import { Id } from '../../http/acts-on.ts';
import { placePage } from '../suites/suite-head.ts';
import { showToken, tokenForm, tokensPage } from '../suites/tokens-form.ts';
import { formRoute, pageRoute, redirect } from '../web-route.ts';

const PATH = '/account/tokens';

export const getTokens = pageRoute({ path: PATH }, async (ctx, { viewer }, problem) => {
  const tokens = await readTokens(ctx, viewer);
  return placePage(ctx, null, tokensPage({ tokens, path: PATH, scopes: null }, problem));
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
