/** GitHub itself gives up after 10 s. */
const TIMEOUT_MS = 15_000;
const NO_BODY = new Set([204, 205, 304]);

/**
 * `fetch` that resolves when the whole body has arrived, and fails otherwise. Without it, Octokit treats a connection
 * that drops in the middle of an answer as an empty answer.
 */
export async function fetchWhole(url: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  const whole = new Response(NO_BODY.has(status) ? null : body, { status, statusText, headers });
  // A constructed response has no URL, but Octokit's pagination needs one.
  return Object.defineProperty(whole, 'url', { value: response.url });
}
