import { z } from 'zod';
import { AppError, type ErrorDetails } from '../errors.ts';
import { toFailure, type Failure } from '../http/failure.ts';
import { capitalize, formatDuration } from '../text/format.ts';

/** A form as it was sent: the typed values by field name. If a name was sent several times, this is the last value. */
export type Typed = Record<string, string>;

/** Why a form was rejected. The page shows this at the fields and keeps what was typed. */
export type Problem = {
  status: number;
  /** A sentence about the whole form, also used when no field caused the problem. */
  message: string;
  /** Maps a field's name to what is wrong with it. */
  fields: Record<string, string>;
  typed: Typed;
  /** All fields that were sent, also those that were sent several times. */
  sent?: [name: string, value: string][];
  /** `code`, and more for some codes. */
  details?: ErrorDetails;
};

/** Never sent back to the browser. */
const SECRET = /password|token|secret/i;

const FormBody = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Without secrets. */
function readSent(body: unknown): [name: string, value: string][] {
  const parsed = FormBody.safeParse(body);
  const entries = Object.entries(parsed.success ? parsed.data : {}).filter(([name]) => !SECRET.test(name));
  return entries.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
}

export const readTyped = (body: unknown): Typed => Object.fromEntries(readSent(body));

/** For a form that is shown again as it was typed, though nothing is wrong with it. */
export const showTyped = (typed: Typed): Problem => ({ status: 200, message: '', fields: {}, typed });

/** The problem, if it is of the form with this field. For pages with several forms. */
export const ofForm = (problem: Problem | null, field: string): Problem | null =>
  problem !== null && field in problem.typed ? problem : null;

const Issues = z.array(z.object({ path: z.string(), message: z.string() }));

function messagesByField(details: Record<string, unknown>): Record<string, string> {
  const issues = Issues.safeParse(details['issues']);
  const fields: Record<string, string> = {};
  for (const { path, message } of issues.success ? issues.data : []) fields[path] ??= capitalize(message);
  return fields;
}

/** The message for people. It says when to try again; programs read that from `Retry-After`. */
export function messageFor({ body, retryAfter }: Failure): string {
  return retryAfter === null ? body.error : `${body.error}. Try again in ${formatDuration(retryAfter, 'long')}.`;
}

/** Null when the problem was not caused by the person's input. An error page is shown instead. */
export function toProblem(error: unknown, body: unknown): Problem | null {
  if (!(error instanceof AppError) && !(error instanceof z.ZodError)) return null;
  const failure = toFailure(error);
  const { status } = failure;
  const { details } = failure.body;
  if (status === 404 || status >= 500) return null;
  const fields = messagesByField(details);
  const isOfFields = details.code === 'validation_failed' && Object.keys(fields).length > 0;
  const message = isOfFields ? 'Some fields are not valid' : messageFor(failure);
  return { status, message, fields, typed: readTyped(body), sent: readSent(body), details };
}
