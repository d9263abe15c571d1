import type { Config } from '../../config.ts';
import { isLoopback, isPrivateName, isPublicAddress, literalAddress } from '../../net/checked-lookup.ts';

type Host = { github: Pick<Config['github'], 'enterpriseHost' | 'enterpriseProtocol'> };

/** The web address: github.com, or the Enterprise Server of `GHE_HOST` and `GHE_PROTOCOL`. No trailing slash. */
export function webAddress({ github: { enterpriseHost, enterpriseProtocol } }: Host): string {
  return enterpriseHost === null ? 'https://github.com' : `${enterpriseProtocol}://${enterpriseHost}`;
}

/** The issuer of workflows' identity tokens. Its keys are at `/.well-known/jwks` below it. */
export function actionsIssuer(config: Host): string {
  return config.github.enterpriseHost === null
    ? 'https://token.actions.githubusercontent.com'
    : `${webAddress(config)}/_services/token`;
}

/** The REST API of the same server. No trailing slash. */
export function apiAddress(config: Host): string {
  return config.github.enterpriseHost === null ? 'https://api.github.com' : `${webAddress(config)}/api/v3`;
}

/** More names that no public server has: private networks use them, or they are for tests (RFC 6761). */
const LOCAL_NAME = /\.(localdomain|intranet|lan|corp|home|test|invalid)\.?$/;

function isPrivate(url: string): boolean {
  const host = new URL(url).hostname;
  const address = literalAddress(host);
  return address === null ? isPrivateName(host) || LOCAL_NAME.test(host) : !isPublicAddress(address);
}

/**
 * Whether GitHub can't deliver events to this service's own address. An Enterprise Server may be in the same private
 * network, so it fails to reach only this machine's own names.
 */
export function isOutOfReach({
  publicUrl,
  github: { enterpriseHost },
}: Pick<Config, 'publicUrl'> & { github: Pick<Config['github'], 'enterpriseHost'> }): boolean {
  return enterpriseHost === null ? isPrivate(publicUrl) : isLoopback(publicUrl);
}
