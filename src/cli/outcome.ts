import { z } from 'zod';
import { errorMessage } from '../errors.ts';
import { formatCount, formatNumber } from '../text/format.ts';

/** What the command's exit code says. */
export const EXIT = { fine: 0, review: 1, errors: 2, usage: 3, refused: 4 } as const;

/** The command was called wrongly. */
export class UsageError extends Error {}

/** The files could not be read. */
export class FilesError extends Error {}

/**
 * The server was not reached, is not Pixelgate, or refused access. `code` is the server's error code, if there is one.
 */
export class RefusedError extends Error {
  readonly code: string | null;

  constructor(message: string, { code = null, cause }: { code?: string | null | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** Pixelgate itself said no: asking again changes nothing. */
export class DeniedError extends RefusedError {}

/** The exit code for an error. A bug must not look like a run that awaits review. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof RefusedError ? EXIT.refused : EXIT.errors;
}

export function describeError(error: unknown): string {
  const message = errorMessage(error);
  const isKnown = error instanceof UsageError || error instanceof RefusedError || error instanceof FilesError;
  return isKnown ? message : `Unexpected error: ${message}`;
}

/** Text that is safe on a terminal. What servers say may contain control characters, which would steer it. */
export const forTerminal = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

const Count = z.number().optional();

/** A run, as far as the command says something about it. */
export const RunState = z.object({
  id: z.string(),
  testSuiteId: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  reviewState: z.enum(['NOT_REQUIRED', 'PENDING', 'APPROVED']),
  metadata: z
    .object({
      totalScreenshots: Count,
      passedTests: Count,
      failedTests: Count,
      errorTests: Count,
      error: z.string().optional(),
    })
    .nullable(),
});
export type RunState = z.infer<typeof RunState>;

export const hasEnded = ({ status }: RunState) => status !== 'PENDING' && status !== 'RUNNING';

/**
 * A run in progress has passed no review yet. Errors take precedence over changes, because with errors the review is
 * incomplete.
 */
export function exitCode(run: RunState): number {
  if (!hasEnded(run)) return EXIT.review;
  if (run.status !== 'COMPLETED' || (run.metadata?.errorTests ?? 0) > 0) return EXIT.errors;
  return run.reviewState === 'PENDING' ? EXIT.review : EXIT.fine;
}

export function describeRun(run: RunState): string {
  if (!hasEnded(run)) return run.status === 'PENDING' ? 'waiting to start' : 'running';
  const { error, totalScreenshots = 0, failedTests = 0, errorTests = 0 } = run.metadata ?? {};
  if (run.status !== 'COMPLETED') return `${run.status.toLowerCase()}${error === undefined ? '' : `: ${error}`}`;
  const counts = `${formatCount(totalScreenshots, 'screenshot')}, ${formatNumber(failedTests)} different, ${formatCount(errorTests, 'error')}`;
  const complete = { NOT_REQUIRED: 'nothing to review', PENDING: 'changes await review', APPROVED: 'approved' };
  const incomplete = {
    NOT_REQUIRED: 'some screenshots failed',
    PENDING: 'some screenshots failed, and changes await review',
    APPROVED: 'some screenshots failed, and all changes are approved',
  };
  return `${(errorTests > 0 ? incomplete : complete)[run.reviewState]} (${counts})`;
}
