/**
 * What goes wrong with a request. `drop`: the connection is closed before anything is done. `lost`: it is done, but no
 * response comes. `cut`: it is done, but the response is cut off. `silence`: nothing is done, and no response comes.
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

/** GitHub returns 403, and may not say when to try again. */
export function secondaryLimit(retryAfterSeconds: number): Fault {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  return { kind: 'answer', status: 403, headers, message };
}

/** The hourly limit is used up until this time, in Unix seconds. */
export function limitUsedUp(until: Date): Fault {
  const reset = String(Math.ceil(until.getTime() / 1000));
  const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  return { kind: 'answer', status: 403, headers, message: 'API rate limit exceeded for installation ID 375706.' };
}
