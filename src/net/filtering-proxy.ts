import dns from 'node:dns';
import { RequestError, Server } from 'proxy-chain';
import type { Logger } from '../logger.ts';
import type { Lookup } from './checked-lookup.ts';
import { createCheckedLookup, checkHost } from './checked-lookup.ts';

export type FilteringProxy = { url: string; close(): Promise<void> };

/** proxy-chain declares the type of the overloaded `dns.lookup`, but only passes the function on to `net.connect`. */
function asDnsLookup(lookup: ReturnType<typeof createCheckedLookup>): typeof dns.lookup {
  const apply = (...args: unknown[]): void => void Reflect.apply(lookup, undefined, args);
  return Object.assign(apply, { __promisify__: dns.lookup.__promisify__ });
}

/**
 * A proxy on loopback for the browser, which would otherwise resolve names itself. It checks everything that a page
 * requests (subresources, redirects, scripts): first the requested host, then again the address that is connected to.
 */
export async function startFilteringProxy(lookup: Lookup, log: Logger): Promise<FilteringProxy> {
  const dnsLookup = asDnsLookup(createCheckedLookup(lookup));
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: async ({ hostname }) => {
      const refusal = await checkHost(lookup, hostname);
      if (refusal === null) return { dnsLookup };
      log.warn({ hostname }, 'a page requested an address that is not allowed');
      throw new RequestError(refusal.message, 403);
    },
  });
  await server.listen();
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.close(true) };
}
