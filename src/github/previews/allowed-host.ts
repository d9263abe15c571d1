import type { Config } from '../../config.ts';

function fits(pattern: string, url: URL): boolean {
  const name = /:\d+$/.test(pattern) ? url.host : url.hostname;
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

/**
 * Whether previews of an account's repositories may be on the URL's host. If `PREVIEW_HOSTS` lists hosts, for every
 * account or for this one, only those are captured. Pure.
 */
export function isHostAllowed(hosts: Config['previewHosts'], account: string, address: string): boolean {
  const applicable = hosts.filter((host) => host.account === null || host.account === account.toLowerCase());
  return applicable.length === 0 || applicable.some(({ pattern }) => fits(pattern, new URL(address)));
}
