import type { Config } from '../../config.ts';

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
