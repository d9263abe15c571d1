import { nullIf } from '../../errors.ts';
import { FetchError, followRedirects, redirectTarget, type Network } from '../../net/network.ts';

const MAX_BYTES = 32 * 1024;
const TIMEOUT_MS = 3000;
const MAX_REDIRECTS = 3;

/** Types by the first bytes of a file, in hex. What a server says about its icon is often wrong. */
const TYPES: [start: string, type: string][] = [
  ['89504e47', 'image/png'],
  ['00000100', 'image/x-icon'],
  ['47494638', 'image/gif'],
  ['ffd8ff', 'image/jpeg'],
];

function typeOf(body: Buffer, claimed: string): string | null {
  const start = body.subarray(0, 4).toString('hex');
  const known = TYPES.find(([each]) => start.startsWith(each));
  if (known !== undefined) return known[1];
  // In an image, an SVG runs no scripts and loads nothing.
  return claimed.startsWith('image/svg+xml') && body.includes('<svg') ? 'image/svg+xml' : null;
}

/** The icon as a data URI. Null: there is none, or it is too large. */
export async function readIcon(
  { fetch }: Pick<Network, 'fetch'>,
  address: string,
  userAgent: string,
): Promise<string | null> {
  const icon = followRedirects<string | null>(address, MAX_REDIRECTS, async (url) => {
    const response = await fetch({ url, userAgent, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const next = redirectTarget(response, url);
    if (next !== null) return { next };
    const { status, headers, body, truncated } = response;
    const type = status === 200 && !truncated ? typeOf(body, headers['content-type'] ?? '') : null;
    return { end: type === null ? null : `data:${type};base64,${body.toString('base64')}` };
  });
  return icon.catch(nullIf((error) => error instanceof FetchError));
}
