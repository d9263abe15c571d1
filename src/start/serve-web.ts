import { createApi } from '../api/create-api.ts';
import { composeWeb, composeWebhooks } from '../compose.ts';
import type { Context } from '../context.ts';
import { webhookReceiver } from '../github/webhooks/webhook-receiver.ts';
import { createApp, type AppParts } from '../http/create-app.ts';
import { webhooksRouter } from '../http/webhooks.ts';
import { createMcp } from '../mcp/create-mcp.ts';
import { createWeb } from '../web/create-web.ts';
import { serve, type Served } from './serve.ts';
import { createStops } from './stops.ts';

/** Pages, API and webhooks at one address. If a step fails, everything already started is stopped again. */
export async function serveWeb(
  base: Context,
  databaseUrl: string,
  parts: Pick<AppParts, 'metrics' | 'capture'>,
): Promise<Served> {
  const stops = createStops();
  try {
    const { ctx, close } = composeWeb(base);
    stops.add(close);
    const webhooks = composeWebhooks(ctx, databaseUrl);
    stops.add(webhooks.close);
    const router = webhooksRouter(webhookReceiver(webhooks.ctx));
    const [api, mcp, web] = [createApi(ctx), createMcp(ctx), await createWeb(ctx)];
    const app = createApp(ctx, { ...parts, api, webhooks: router, mcp, web });
    const served = await serve(app, ctx.config);
    stops.add(served.stop);
    return { ...served, stop: stops.run };
  } catch (error) {
    await stops.run();
    throw error;
  }
}
