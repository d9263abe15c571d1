/**
 * What goes wrong with a request. `drop`: the connection ends before anything is done; `lost`: it is done, and no answer
 * comes; `cut`: it is done, and the answer ends in its middle; `silence`: nothing is done, and no answer comes ever.
 */
export type Fault =
  | { kind: 'answer'; status: number; headers: Record<string, string>; message: string }
  | { kind: 'drop' }
  | { kind: 'lost' }
  | { kind: 'cut' }
  | { kind: 'silence' };

export function serverError(status = 502): Fault {
  return { kind: 'answer', status, headers: {}, message: 'Server Error' };
}

export function tooManyRequests(retryAfterSeconds: number): Fault {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return { kind: 'answer', status: 429, headers, message: 'Too many requests' };
}

/** GitHub says it with 403, and may leave out when to come back. */
export function secondaryLimit(retryAfterSeconds: number): Fault {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  return { kind: 'answer', status: 403, headers, message };
}

/** The hourly limit is used up until then, a second of the Unix clock. */
export function limitUsedUp(until: Date): Fault {
  const reset = String(Math.ceil(until.getTime() / 1000));
  const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  return { kind: 'answer', status: 403, headers, message: 'API rate limit exceeded for installation ID 375706.' };
}
