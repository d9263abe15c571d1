import { z } from 'zod';
import { orNull } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';
import { DeniedError, RefusedError, UsageError } from './outcome.ts';

const Issues = z.array(z.object({ path: z.string(), message: z.string() }));
const Details = z.object({ code: z.string(), issues: Issues.catch([]) });
const Failure = z.object({ error: z.string(), details: Details.optional().catch(undefined) });

type Request = RequestInit & { duplex?: 'half' };

const parseJson = (text: string) => orNull<unknown>(() => JSON.parse(text));

const causeOf = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';

async function ask(url: URL, init: Request): Promise<Response> {
  try {
    // An upload can't be sent twice, and a token is for one server.
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    throw new RefusedError(`${url.origin} could not be reached${causeOf(error)}`, { cause: error });
  }
}

async function readText(url: URL, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new RefusedError(`The response of ${url.origin} was cut off${causeOf(error)}`, { cause: error });
  }
}

/** A login page of a proxy, another product, another version. */
function foreign(url: URL, response: Response): RefusedError {
  const type = response.headers.get('content-type') ?? 'no content type';
  return new RefusedError(
    `${url.origin}${url.pathname} did not respond as Pixelgate does (status ${response.status}, ${type}). Check the server's URL.`,
  );
}

function refuse(url: URL, response: Response, text: string): Error {
  if (response.status < 400) {
    const target = response.headers.get('location');
    const to = target === null ? null : parseUrl(target, url.href);
    return new RefusedError(`${url.origin} redirects${to === null ? '' : ` to ${to.origin}`}. Check the server's URL.`);
  }
  const failure = Failure.safeParse(parseJson(text));
  if (!failure.success) {
    return new RefusedError(`${url.origin} responded with ${response.status} ${response.statusText}`.trimEnd());
  }
  const { error, details } = failure.data;
  const issues = (details?.issues ?? []).map((issue) => `${issue.path} ${issue.message}`);
  const words = [error, ...issues.filter((issue) => issue !== error)].join(': ');
  if ([400, 409, 413, 415, 422].includes(response.status)) return new UsageError(words);
  const Refusal = [401, 403, 404].includes(response.status) ? DeniedError : RefusedError;
  return new Refusal(error, { code: details?.code });
}

/**
 * Sends a request and parses the response by the schema. @throws RefusedError; UsageError when the server rejects the
 * input.
 */
export async function send<T>(address: string, schema: z.ZodType<T>, init: Request): Promise<T> {
  const url = new URL(address);
  const response = await ask(url, init);
  const text = await readText(url, response);
  if (!response.ok) throw refuse(url, response, text);
  const answer = schema.safeParse(parseJson(text));
  if (!answer.success) throw foreign(url, response);
  return answer.data;
}
