import { createHmac } from 'node:crypto';
import type { TargetSecrets } from './target.ts';

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * The headers of Standard Webhooks. While a secret is being changed, both signatures are sent.
 * @param now also the time of the signature, so that a receiver can refuse old ones
 */
export function signMessage(
  { secret, previous }: Pick<TargetSecrets, 'secret' | 'previous'>,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const isKept = previous !== undefined && new Date(previous.until) > now;
  const secrets = [...(secret === undefined ? [] : [secret]), ...(isKept ? [previous.secret] : [])];
  const sign = (each: string) =>
    `v1,${createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secrets.length === 0 ? {} : { 'webhook-signature': secrets.map(sign).join(' ') }),
  };
}
