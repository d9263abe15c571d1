import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, literalAddress } from './allowed-address.ts';

/** At least one address of the name is not public. */
export class TargetRefused extends Error {
  readonly code = 'ETARGETREFUSED';
}

/** How a name becomes addresses: `dns.lookup`, or a test's stand-in. */
export type Lookup = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: Error | null, addresses: dns.LookupAddress[]) => void,
) => void;

export const systemLookup: Lookup = (hostname, options, callback) => dns.lookup(hostname, options, callback);

/** Every address of the name, none when it does not resolve. */
async function resolveAddresses(lookup: Lookup, hostname: string): Promise<dns.LookupAddress[]> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, addresses) => resolve(error === null ? addresses : []));
  });
}

/** Refuses if any of the addresses is not public: a name with mixed answers is a rebinding trick. */
function refuseAddresses(host: string, addresses: dns.LookupAddress[]): TargetRefused | null {
  if (addresses.every(({ address }) => isPublicAddress(address))) return null;
  return new TargetRefused(`${host} is not a public address, and Pixelgate may only reach public addresses`);
}

/**
 * Checks a host by the address in its text, or by what its name resolves to now. A name that does not resolve is
 * allowed: it may resolve later, and every connection to it is checked again.
 */
export async function checkHost(lookup: Lookup, host: string): Promise<TargetRefused | null> {
  return (
    checkLiteralAddress(host) ??
    (literalAddress(host) === null ? refuseAddresses(host, await resolveAddresses(lookup, host)) : null)
  );
}

/** Checks a host that is written as an IP address, because Node connects to those without a lookup. */
export function checkLiteralAddress(host: string): TargetRefused | null {
  const literal = literalAddress(host);
  return literal === null ? null : refuseAddresses(host, [{ address: literal, family: 0 }]);
}

/**
 * A lookup for `net.connect`. The connection goes to an address that was checked, so it does not matter if the name
 * resolves to something else a moment later.
 */
export function createCheckedLookup(lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? refuseAddresses(hostname, addresses);
      const [first] = addresses ?? [];
      if (refusal !== null) callback(refusal, []);
      else if (options.all === true) callback(null, addresses);
      else if (first === undefined) callback(new Error(`${hostname} has no address`), []);
      else callback(null, first.address, first.family);
    });
  };
}
