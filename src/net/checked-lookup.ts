import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Unreachable } from './failure-code.ts';

/** The only IPv6 range routed on the public Internet (RFC 4291, IANA). ULA, `::a.b.c.d` and others are outside it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix: the public IPv4 Internet as a host with only IPv6 sees it (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Azure's host agent answers every virtual machine on this otherwise public address. */
const AZURE_HOST_AGENT = '168.63.129.16';

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST_AGENT;
}

function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}

/**
 * True for an address on the public Internet. False for addresses with a special meaning: loopback, private, link-local
 * with the cloud metadata, CGNAT, multicast, unspecified, documentation, 6to4 and Teredo tunnels. An IPv4 address
 * inside an IPv6 one is judged by itself.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  const embedded = embeddedV4(address);
  if (embedded !== null) return isPublicV4(embedded);
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/** The IP address in the host of a URL or the target of a proxy request, without brackets and zone. Null for a name. */
export function literalAddress(host: string): string | null {
  const bare = host.replace(/^\[(.*)\]$/, '$1').split('%', 1)[0] ?? '';
  return ipaddr.isValid(bare) ? bare : null;
}

const LOCAL_NAME = /^(.+\.)?localhost$/;

/** True for a URL whose host only this machine can reach: a localhost name, a loopback or the unspecified address. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  if (address === null) return LOCAL_NAME.test(hostname);
  return ['loopback', 'unspecified'].includes(ipaddr.process(address).range());
}

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
