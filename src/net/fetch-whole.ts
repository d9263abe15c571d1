import { Readable } from 'node:stream';
import { readBody } from './read-body.ts';

const NO_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for a client library: it resolves when the whole body has arrived, and fails otherwise. The signal of the
 * request covers the body too.
 * @param maxBytes a longer body is a failure
 */
export async function fetchWhole(url: string, options: RequestInit, maxBytes: number): Promise<Response> {
  const response = await fetch(url, options);
  const { status, statusText, headers } = response;
  // It is decoded already.
  const { body, truncated } = await readBody(Readable.from(response.body ?? []), '', maxBytes);
  if (truncated) throw new Error(`The answer is longer than ${maxBytes} bytes`);
  const whole = new Response(NO_BODY.has(status) ? null : body, { status, statusText, headers });
  // A response made by hand has no URL, and Octokit's pagination reads it.
  return Object.defineProperty(whole, 'url', { value: response.url });
}
