import type { AccountTokens, ExternalIdentity } from '../../auth/account.ts';
import type { Context } from '../../context.ts';
import { unlessRefused, userClient } from '../app/user-client.ts';

type Email = { email: string; primary: boolean; verified: boolean };

/** GitHub's no-reply address, which receives no mail. Used for people who show no other address. */
const noReplyAddress = (id: number | bigint, login: string, host: string | null) =>
  `${id}+${login}@users.noreply.github.${host === null ? 'com' : 'invalid'}`;

/** Empty when the App lacks the permission to read addresses. Then GitHub verifies none. */
async function readEmails(ctx: Pick<Context, 'config' | 'log' | 'clock'>, token: string): Promise<Email[]> {
  const github = await userClient(ctx, token);
  const emails = await unlessRefused(ctx, async () => github.paginate('GET /user/emails', { per_page: 100 }));
  return (emails ?? []).toSorted((a, b) => Number(b.primary) - Number(a.primary));
}

/** The person that the tokens belong to. Null: GitHub rejects the tokens. */
export async function readIdentity(
  ctx: Pick<Context, 'config' | 'log' | 'clock'>,
  tokens: AccountTokens,
): Promise<ExternalIdentity | null> {
  const github = await userClient(ctx, tokens.accessToken);
  const answer = await unlessRefused(ctx, async () => github.request('GET /user'));
  if (answer === null) return null;
  const { id, login, name, avatar_url: image, email: shown } = answer.data;
  const emails = await readEmails(ctx, tokens.accessToken);
  const verifiedEmails = emails.filter(({ verified }) => verified).map(({ email }) => email);
  const unverified = emails.filter(({ verified }) => !verified).map(({ email }) => email);
  const noReply = noReplyAddress(id, login, ctx.config.github.enterpriseHost);
  return {
    provider: 'github',
    accountId: String(id),
    login,
    name: name ?? login,
    image: image ?? null,
    verifiedEmails,
    otherEmails: [...unverified, ...(shown ? [shown] : []), noReply],
    tokens,
    mayRegister: false,
  };
}
