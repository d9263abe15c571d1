import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

type PolicyConfig = Pick<Config, 'publicUrl' | 'cdnBaseUrl'>;

const isSecure = ({ publicUrl }: PolicyConfig) => publicUrl.startsWith('https:');

/** The headers of every response. Those that force https are omitted if the service itself is reached over http. */
export function securityHeaders(config: PolicyConfig): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: isSecure(config),
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'same-origin' },
    }),
    contentSecurityPolicy(config),
  ];
}

const SELF = ["'self'"];
const NONE = ["'none'"];

/**
 * Scripts are loaded only from our own files, so pages can't use inline scripts. Images may also come from the CDN.
 * @param formOrigins where the forms of this response may lead, besides here
 */
export function contentSecurityPolicy(config: PolicyConfig, formOrigins: string[] = []) {
  const { cdnBaseUrl } = config;
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: SELF,
      scriptSrc: SELF,
      styleSrc: SELF,
      imgSrc: [...SELF, 'data:', ...(cdnBaseUrl === null ? [] : [new URL(cdnBaseUrl).origin])],
      connectSrc: SELF,
      objectSrc: NONE,
      baseUri: NONE,
      formAction: [...SELF, ...formOrigins],
      frameAncestors: NONE,
      ...(isSecure(config) && { upgradeInsecureRequests: [] }),
    },
  });
}
