import dns from 'node:dns';
import { RequestError, Server } from 'proxy-chain';
import type { Logger } from '../logger.ts';
import { checkHost, createCheckedLookup, type Lookup } from './checked-lookup.ts';

/** Whether a connection to this host and port is allowed. The host is as a URL has it. */
type IsAllowed = (hostname: string, port: number) => boolean;

export type FilteringProxy = {
  url: string;
  /**
   * From now on the proxy connects only to this origin and resolves no other name. It closes connections to other
   * hosts.
   */
  keepTo(isAllowed: IsAllowed): void;
  close(): Promise<void>;
};

/** proxy-chain declares the type of the overloaded `dns.lookup`, but only passes the function on to `net.connect`. */
function asDnsLookup(lookup: ReturnType<typeof createCheckedLookup>): typeof dns.lookup {
  const apply = (...args: unknown[]): void => void Reflect.apply(lookup, undefined, args);
  return Object.assign(apply, { __promisify__: dns.lookup.__promisify__ });
}

/**
 * A proxy on loopback for the browser, which would otherwise resolve names itself. It checks everything that a page
 * requests (subresources, redirects, scripts): first the requested host, then again the address that is connected to.
 * @param lookup null: addresses are not checked
 */
export async function startFilteringProxy(lookup: Lookup | null, log: Logger): Promise<FilteringProxy> {
  const dnsLookup = lookup === null ? null : asDnsLookup(createCheckedLookup(lookup));
  /** The last request on each connection of the browser. */
  const asked = new Map<unknown, { hostname: string; port: number }>();
  let isAllowed: IsAllowed = () => true;
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: async ({ connectionId, hostname, port }) => {
      asked.set(connectionId, { hostname, port });
      if (!isAllowed(hostname, port)) throw new RequestError(`${hostname} may not be reached now`, 403);
      if (lookup === null || dnsLookup === null) return {};
      const refusal = await checkHost(lookup, hostname);
      if (refusal === null) return { dnsLookup };
      log.warn({ hostname }, 'a page requested an address that is not allowed');
      throw new RequestError(refusal.message, 403);
    },
  });
  server.on('connectionClosed', ({ connectionId }) => asked.delete(connectionId));
  await server.listen();
  return {
    url: `http://127.0.0.1:${server.port}`,
    keepTo(next) {
      isAllowed = next;
      for (const id of server.getConnectionIds()) {
        const of = asked.get(id);
        if (of === undefined || !isAllowed(of.hostname, of.port)) server.closeConnection(id);
      }
    },
    close: () => server.close(true),
  };
}
