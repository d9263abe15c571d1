import { Probot } from 'probot';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { readCredentials } from '../app/credentials.ts';
import type { Credentials } from '../app/credentials.ts';
import { takeDelivery } from './take-delivery.ts';

type WebhookContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** The request: header names in lower case, and the exact bytes of the body, because those are signed. */
export type WebhookRequest = { headers: Record<string, string | string[] | undefined>; body: Buffer };

const WebhookHeaders = z.object({
  'x-github-event': z.string().regex(/^[a-z0-9_]{1,64}$/),
  'x-github-delivery': z.string().regex(/^[\w-]{1,128}$/),
});

type Verify = (body: Buffer, signature: string) => Promise<boolean>;

/**
 * Probot's own signature check. We don't use its event emitter: it makes a client for each event, and we call nobody
 * here.
 */
async function createVerifier(
  { log }: WebhookContext,
  { appId, privateKey, webhookSecret }: Credentials,
): Promise<Verify> {
  const probot = await new Probot({ appId, privateKey, secret: webhookSecret, log }).ready();
  return async (body, signature) => probot.webhooks.verify(body.toString('utf8'), signature);
}

function parsePayload(body: Buffer): object {
  let payload: unknown;
  try {
    payload = JSON.parse(body.toString('utf8'));
  } catch {
    throw new AppError('invalid', 'The body is not valid JSON', { code: 'malformed_json' });
  }
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  throw new AppError('invalid', 'The body is not a JSON object', { code: 'payload_malformed' });
}

/**
 * Receives what GitHub posts. Resolves once the delivery and its jobs are recorded. The receiver throws AppError
 * not_found (GitHub is not connected), invalid (a header or the payload is not GitHub's), unauthenticated (the
 * signature is missing or wrong).
 */
export function webhookReceiver(ctx: WebhookContext): (request: WebhookRequest) => Promise<void> {
  let current: { webhookSecret: string; verify: Promise<Verify> } | null = null;

  async function assertSigned(credentials: Credentials, body: Buffer, signature: unknown): Promise<void> {
    const { webhookSecret } = credentials;
    if (current?.webhookSecret !== webhookSecret) current = { webhookSecret, verify: createVerifier(ctx, credentials) };
    const verify = await current.verify;
    const isSigned = typeof signature === 'string' && signature !== '' && (await verify(body, signature));
    if (!isSigned) throw unauthenticated('The signature is missing, or does not match the webhook secret');
  }

  return async ({ headers, body }) => {
    const credentials = await readCredentials(ctx);
    if (credentials === null) throw new AppError('not_found', 'GitHub is not connected', { code: 'not_found' });
    const named = WebhookHeaders.safeParse(headers);
    if (!named.success) {
      throw new AppError('invalid', 'X-GitHub-Event or X-GitHub-Delivery is missing or malformed', {
        code: 'headers_malformed',
      });
    }
    if (body.length === 0) throw new AppError('invalid', 'The body is empty', { code: 'malformed_json' });
    await assertSigned(credentials, body, headers['x-hub-signature-256']);
    const { 'x-github-delivery': id, 'x-github-event': name } = named.data;
    await takeDelivery(ctx, { id, name, payload: parsePayload(body) });
  };
}
