import type { Route } from './route-list.ts';

function refusals({ method, access, params }: Route): Record<number, string> {
  const changes = method !== 'get';
  const ofCaller = access === 'viewer' ? { 401: 'The token is missing or not valid' } : {};
  const foreign = 'the request carries a cookie and came from another site';
  if (!changes) return access === 'anyone' ? ofCaller : { ...ofCaller, 403: 'The suite token does not permit this' };
  return {
    ...ofCaller,
    403: params === undefined ? `When ${foreign}` : `The role or the token does not permit it, or ${foreign}`,
  };
}

/** All the ways an operation can fail: those of its kind, and its own. */
export function describeFailures(route: Route): Record<string, string> {
  const { params, query, body, rateLimit, failures } = route;
  const takesInput = params !== undefined || query !== undefined || body !== undefined;
  return {
    ...(takesInput ? { 400: 'A field is not valid, or the JSON is malformed' } : {}),
    ...refusals(route),
    ...(params === undefined ? {} : { 404: 'It does not exist, or the caller has no access to it' }),
    ...(body === undefined ? {} : { 413: 'The body is over 1 MiB', 415: 'The body is not JSON' }),
    ...(rateLimit === undefined ? {} : { 429: 'Too many attempts' }),
    500: 'Something went wrong in Pixelgate',
    503: 'The database or the storage cannot be reached',
    ...failures,
  };
}
