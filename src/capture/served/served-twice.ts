import pLimit from 'p-limit';
import type { Request } from 'playwright';
import { sha256Of } from '../../text/sha256.ts';
import { isText } from '../manifest/exchange.ts';
import { drawsByChance } from '../manifest/find-obstacles.ts';
import type { OpenPage } from '../open-page.ts';

/** Pages with more parts are loaded again instead. */
const MAX_PARTS = 100;
const AT_ONCE = 6;
const MAX_BYTES = 64 * 1024 * 1024;

/** `headers`: names in lower case. */
export type Answer = { body: Buffer; headers: Record<string, string> };

/** Requests a resource like the page would, but without caches. Null if the response is not a success. */
export async function askAgain({ cdp, frameId }: OpenPage, url: string): Promise<Answer | null> {
  const options = { disableCache: true, includeCredentials: true };
  const { resource } = await cdp.send('Network.loadNetworkResource', { frameId, url, options });
  const { stream: handle, success } = resource;
  const named = Object.entries(resource.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = Object.fromEntries(named);
  if (handle === undefined) return success ? { body: Buffer.alloc(0), headers } : null;
  const parts: Buffer[] = [];
  for (let size = 0; size <= MAX_BYTES;) {
    const { data, base64Encoded, eof } = await cdp.send('IO.read', { handle });
    const part = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
    parts.push(part);
    size += part.length;
    if (eof) break;
  }
  await cdp.send('IO.close', { handle });
  return success ? { body: Buffer.concat(parts), headers } : null;
}

/** What was served for a request. Null if it can't be requested again, is unknown, or may look different next time. */
async function read({ requests }: OpenPage, request: Request): Promise<string | null> {
  if (request.method() !== 'GET' || request.redirectedFrom() !== null) return null;
  const response = request.existingResponse();
  if (response === null || response.status() !== 200) return null;
  const body = await requests.body(response).catch(() => null);
  if (body === null) return null;
  const mayStyle = isText(response.headers()['content-type']);
  return mayStyle && drawsByChance({ kind: request.resourceType() }, body.toString()) ? null : sha256Of(body);
}

/**
 * Whether the servers of a page return the same as before for each of its parts. This replaces a second load. Responses
 * to earlier pages at the same address count.
 */
export async function isServedTwice(open: OpenPage): Promise<boolean> {
  const { requests, steady, guard } = open;
  const parts = requests.ended();
  if (parts === null || parts.length > MAX_PARTS) return false;
  const limit = pLimit(AT_ONCE);
  const isSame = async (request: Request) => {
    const url = request.url();
    const served = await read(open, request);
    if (served === null) return false;
    if (steady.get(url) === served) return true;
    const again = await askAgain(open, url);
    if (again !== null && sha256Of(again.body) === served) {
      steady.set(url, served);
      return true;
    }
    // If responses alternated, the next load could get the same as this one.
    if (again !== null) await askAgain(open, url);
    return false;
  };
  const checking = Promise.all(parts.map(async (request) => limit(async () => isSame(request))));
  const checked = await guard.race(checking.catch(() => [false]));
  return checked.every(Boolean);
}
