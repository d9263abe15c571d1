import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { readCredentials } from '../app/credentials.ts';
import { parseBody } from './read-delivery.ts';
import { openDeliveryWriter, storeDelivery } from './store-delivery.ts';

/**
 * Whether `X-Hub-Signature-256` is the signature of these bytes. GitHub signs bytes: a body that is not UTF-8 has a
 * signature too.
 */
export function isSigned(secret: string, body: Buffer, signature: unknown): boolean {
  if (typeof signature !== 'string') return false;
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The request: header names in lower case, and the exact bytes of the body, because those are signed. */
type WebhookRequest = { headers: Record<string, string | string[] | undefined>; body: Buffer };

const WebhookHeaders = z.object({
  'x-github-event': z.string().regex(/^[a-z0-9_]{1,64}$/),
  'x-github-delivery': z.string().regex(/^[\w-]{1,128}$/),
});

/** How long a secret is used before checking whether it is still the App's. */
const SECRET_MS = 5_000;

/**
 * The returned function resolves once the delivery is stored. It throws AppError not_found (GitHub is not connected),
 * invalid (a header or the payload is not GitHub's), payload_too_large, unauthenticated (the signature is missing or
 * wrong).
 * @param ctx its pool belongs to the receiver alone, so that deliveries don't wait for other work
 */
export function webhookReceiver(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>,
): (request: WebhookRequest) => Promise<void> {
  const write = openDeliveryWriter(ctx.db);
  let known: { secret: string; at: number } | null = null;

  async function readSecret(): Promise<string> {
    const credentials = await readCredentials(ctx);
    if (credentials === null) throw new AppError('not_found', 'GitHub is not connected', { code: 'not_found' });
    known = { secret: credentials.webhookSecret, at: performance.now() };
    return known.secret;
  }

  /** A new App works immediately: if the signature does not match, the current secret is tried. */
  async function assertSigned(body: Buffer, signature: unknown): Promise<void> {
    const isFresh = known !== null && performance.now() - known.at < SECRET_MS;
    if (isFresh && known !== null && isSigned(known.secret, body, signature)) return;
    if (isSigned(await readSecret(), body, signature)) return;
    throw unauthenticated('The signature is missing, or does not match the webhook secret');
  }

  return async ({ headers, body }) => {
    const named = WebhookHeaders.safeParse(headers);
    if (!named.success) {
      throw new AppError('invalid', 'X-GitHub-Event or X-GitHub-Delivery is missing or malformed', {
        code: 'headers_malformed',
      });
    }
    if (body.length === 0) throw new AppError('invalid', 'The body is empty', { code: 'malformed_json' });
    await assertSigned(body, headers['x-hub-signature-256']);
    const { 'x-github-delivery': id, 'x-github-event': name } = named.data;
    await storeDelivery(ctx, write, { id, name, payload: parseBody(body) });
  };
}
