type Headers = Record<string, unknown>;

/** The rest is for what people wait for. */
const KEPT_PART = 0.25;

const toCount = (value: unknown): number | null =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : null;

/** Whether little is left of GitHub's hourly limit, by the headers of an answer. Pure. */
export function isScarce(headers: Headers): boolean {
  const limit = toCount(headers['x-ratelimit-limit']);
  const remaining = toCount(headers['x-ratelimit-remaining']);
  return limit !== null && remaining !== null && remaining < limit * KEPT_PART;
}
