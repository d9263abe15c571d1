import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

type PolicyConfig = Pick<Config, 'publicUrl' | 'cdnBaseUrl'>;

/** The headers of every response. Those that force https are omitted if the service itself is reached over http. */
export function securityHeaders(config: PolicyConfig): RequestHandler[] {
  const policy = contentSecurityPolicy(config);
  return [
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: config.publicUrl.startsWith('https:'),
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'same-origin' },
    }),
    (_req, res, next) => {
      res.setHeader(CSP_HEADER, policy);
      next();
    },
  ];
}

const DIRECTIVES = [
  'default-src',
  'script-src',
  'style-src',
  'img-src',
  'connect-src',
  'object-src',
  'base-uri',
  'form-action',
  'frame-ancestors',
] as const;

type Policy = Record<(typeof DIRECTIVES)[number], readonly string[]>;

export const CSP_HEADER = 'Content-Security-Policy';

const SELF = "'self'";
const NONE = "'none'";

/** Scripts are loaded only from our own files, so pages can't use inline scripts. Images may also come from the CDN. */
function buildPolicy({ cdnBaseUrl }: PolicyConfig): Policy {
  return {
    'default-src': [SELF],
    'script-src': [SELF],
    'style-src': [SELF],
    'img-src': [SELF, 'data:', ...(cdnBaseUrl === null ? [] : [new URL(cdnBaseUrl).origin])],
    'connect-src': [SELF],
    'object-src': [NONE],
    'base-uri': [NONE],
    'form-action': [SELF],
    'frame-ancestors': [NONE],
  };
}

/**
 * The value of the header. It forces requests to https only if the service itself is reached over https.
 * @param additions sources that this response allows in addition
 */
export function contentSecurityPolicy(config: PolicyConfig, additions: Partial<Policy> = {}): string {
  const policy = buildPolicy(config);
  const rendered = DIRECTIVES.map((name) => [name, ...policy[name], ...(additions[name] ?? [])].join(' '));
  return [...rendered, ...(config.publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : [])].join(';');
}
