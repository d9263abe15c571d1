import ipaddr from 'ipaddr.js';

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
