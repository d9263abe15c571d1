import { z } from 'zod';
import { RefusedError, UsageError } from './outcome.ts';

const Failure = z.object({ error: z.string(), details: z.object({ code: z.string() }).optional().catch(undefined) });

type Request = RequestInit & { duplex?: 'half' };

/** A request, with its answer's JSON. @throws RefusedError; UsageError when the server finds fault with the input. */
export async function send(url: string, init: Request): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new RefusedError(`${new URL(url).origin} could not be reached${cause}`, { cause: error });
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const failure = Failure.safeParse(text.startsWith('{') ? JSON.parse(text) : null);
  const why = failure.success ? failure.data.error : `${response.status} ${response.statusText}`;
  const isInput = [400, 409, 413, 415, 422].includes(response.status);
  throw isInput ? new UsageError(why) : new RefusedError(why, { code: failure.data?.details?.code });
}
