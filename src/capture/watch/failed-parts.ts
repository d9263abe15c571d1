import type { Request } from 'playwright';
import { formatStatus } from '../../text/format.ts';
import { tellAddress } from '../../text/parse-url.ts';

/** A screenshot does not show that one of these is missing, as it does with an image. */
const UNSEEN = new Set(['stylesheet', 'script', 'font']);

/** The suite blocks it, or the page no longer wants it. */
const UNWANTED = /ERR_(?:BLOCKED_BY_CLIENT|ABORTED)/;

/** Null: it has loaded, or is still loading. */
function describeFailure(request: Request): string | null {
  const address = tellAddress(request.url());
  const status = request.existingResponse()?.status() ?? 0;
  // The browser gives up the content of such an answer.
  if (status >= 400) return `${address} (${formatStatus(status)})`;
  const failure = request.failure();
  return failure === null || UNWANTED.test(failure.errorText) ? null : address;
}

/** The parts of a page that did not load, the last time that it asked for them. */
export function listFailedParts(begun: Request[]): string[] {
  const parts = begun.filter((request) => UNSEEN.has(request.resourceType()));
  const byAddress = new Map(parts.map((request) => [request.url(), describeFailure(request)]));
  return [...byAddress.values()].filter((failed) => failed !== null);
}
