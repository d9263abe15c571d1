import { createHmac } from 'node:crypto';
import type { Context } from '../context.ts';
import { assertNever, errorMessage } from '../errors.ts';
import { FetchError, parseRetryAfter, type FetchResponse } from '../net/network.ts';
import { VERSION } from '../version.ts';
import { toSlack, toTeams } from './channel-messages.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Message } from './message.ts';
import { uploadPictures } from './slack-pictures.ts';
import type { TargetKind, TargetSecrets } from './target.ts';

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * The headers of Standard Webhooks. While a secret is being changed, both signatures are sent.
 * @param now also the time of the signature, so that a receiver can refuse old ones
 */
function signMessage(
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

const TIMEOUT_MS = 15_000;
/** How much of an answer is read and kept. */
const ANSWER_BYTES = 2000;

/** What is sent to a target of this kind. */
export function writeBody(kind: TargetKind, message: Message): string {
  switch (kind) {
    case 'WEBHOOK':
      return JSON.stringify(message);
    case 'SLACK':
      return JSON.stringify(toSlack(message));
    case 'TEAMS':
      return JSON.stringify(toTeams(message));
    default:
      return assertNever(kind);
  }
}

/** As text that can be stored: invalid bytes become `\uFFFD`. */
const readAnswer = (body: Buffer): string => body.toString('utf8').replaceAll('\0', '\uFFFD');

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It redirects (${status}), and redirects are not followed`;
  return `It answered ${status}`;
}

const failed = (error: string, tookMs: number): Attempt => ({
  tookMs,
  status: null,
  answer: null,
  error,
  retryAfter: null,
  isGone: false,
});

function judge({ status, headers, body }: FetchResponse, tookMs: number, now: Date): Attempt {
  return {
    tookMs,
    status,
    answer: readAnswer(body),
    error: describeStatus(status),
    retryAfter: parseRetryAfter(headers['retry-after'], now.getTime()),
    isGone: status === 410,
  };
}

/**
 * Sends a message once. @param secrets null: they can no longer be read
 * @returns what came of it
 */
export async function attemptDelivery(
  ctx: Pick<Context, 'db' | 'network' | 'storage' | 'clock'>,
  kind: TargetKind,
  secrets: TargetSecrets | null,
  { messageId, message }: Pick<Delivery, 'messageId' | 'message'>,
): Promise<Attempt> {
  if (secrets === null) return failed('Its address was encrypted with a different JWT_SECRET. Set it again', 0);
  const { network, clock } = ctx;
  const body = writeBody(kind, message);
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const answer = await network.fetch({
      url: secrets.url,
      userAgent: `Pixelgate/${VERSION}`,
      timeout: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
      body,
      headers: {
        accept: '*/*',
        'content-type': 'application/json',
        ...(kind === 'WEBHOOK' ? signMessage(secrets, messageId, body, clock.now()) : {}),
      },
    });
    const attempt = judge(answer, took(), clock.now());
    const pictures = attempt.error === null ? await uploadPictures(ctx, secrets, message) : null;
    return pictures === null ? attempt : { ...attempt, answer: `${attempt.answer ?? ''}\n${pictures}` };
  } catch (error) {
    if (error instanceof FetchError) return failed(errorMessage(error), took());
    throw error;
  }
}
