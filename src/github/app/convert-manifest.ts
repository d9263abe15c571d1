import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError, unprocessable } from '../../errors.ts';
import { isGone } from './github-client.ts';
import { userClient } from './user-client.ts';

/** The App that GitHub created, with the secrets that GitHub returns only this once. */
const CreatedApp = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  html_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string(),
  pem: z.string(),
});
type CreatedApp = z.output<typeof CreatedApp>;

/**
 * Exchanges the code of GitHub's manifest flow. The code is valid for an hour and for one exchange.
 * @throws AppError unprocessable (GitHub does not know the code), unavailable (GitHub can't be reached).
 */
export async function convertManifest(ctx: Pick<Context, 'config' | 'log'>, code: string): Promise<CreatedApp> {
  const github = await userClient(ctx, null);
  try {
    const { data } = await github.request('POST /app-manifests/{code}/conversions', { code });
    return CreatedApp.parse(data);
  } catch (error) {
    if (isGone(error)) {
      throw unprocessable('GitHub does not recognize this code, or it was already used. Start again.', 'code_refused');
    }
    ctx.log.error({ err: error }, 'could not get the new GitHub App from GitHub');
    const details = { code: 'github_unavailable' };
    throw new AppError('unavailable', 'GitHub did not return the app', details);
  }
}
