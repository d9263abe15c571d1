import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';
import { contentSecurityPolicy, CSP_HEADER } from './content-security-policy.ts';

/** The headers of every response. Those that force https are omitted if the service itself is reached over http. */
export function securityHeaders(config: Pick<Config, 'publicUrl' | 'cdnBaseUrl'>): RequestHandler[] {
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
