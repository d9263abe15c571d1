import ipaddr from 'ipaddr.js';
import { literalAddress } from './allowed-address.ts';

const LOCAL_NAME = /^(.+\.)?localhost$/;

/** True for a URL whose host only this machine can reach: a localhost name, a loopback or the unspecified address. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  if (address === null) return LOCAL_NAME.test(hostname);
  return ['loopback', 'unspecified'].includes(ipaddr.process(address).range());
}
