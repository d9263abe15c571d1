import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, literalAddress } from './allowed-address.ts';
import type { Unreachable } from './failure-code.ts';

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

/** Every address of the name. Empty if it does not resolve. */
export async function resolveAddresses(lookup: Lookup, hostname: string): Promise<dns.LookupAddress[]> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, addresses) => resolve(error === null ? addresses : []));
  });
}

/** Refuses if any of the addresses is not public: a name with mixed answers is a rebinding trick. */
function refuseAddresses(host: string, addresses: dns.LookupAddress[]): TargetRefused | null {
  return addresses.every(({ address }) => isPublicAddress(address)) ? null : refused(host);
}

const refused = (host: string) =>
  new TargetRefused(`${host} is not a public address, and Pixelgate may only reach public addresses`);

/** Names that no public name server knows: without a dot, or of a domain for private use (RFC 6761, 6762, 8375, ICANN). */
const PRIVATE_NAME = /^[^.]+$|(^|\.)(localhost|local|internal|home\.arpa)$/;

export const isPrivateName = (host: string): boolean => PRIVATE_NAME.test(host.replace(/\.$/, ''));

/** Checks a host by its text alone. */
export function checkHostText(host: string): TargetRefused | null {
  if (literalAddress(host) !== null) return checkLiteralAddress(host);
  return isPrivateName(host) ? refused(host) : null;
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

/** Why a connection to a host would be refused, by what its name resolves to now. Null: it would be made. */
export async function whyRefused(lookup: Lookup, host: string): Promise<Unreachable | null> {
  const message = `${host} is not a public address, so Pixelgate does not connect to it`;
  const mayNot: Unreachable = { code: 'private', message };
  if (checkHostText(host) !== null) return mayNot;
  if (literalAddress(host) !== null) return null;
  const addresses = await resolveAddresses(lookup, host);
  if (addresses.length === 0) return { code: 'network', message: `The host name ${host} could not be resolved` };
  return refuseAddresses(host, addresses) === null ? null : mayNot;
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
