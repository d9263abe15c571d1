import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/**
 * Scripts come from our own files only, so a page needs no inline script. Pictures may also come from the CDN. What
 * forces https is left out where the service itself is reached over http.
 */
export function securityHeaders({ publicUrl, cdnBaseUrl }: Pick<Config, 'publicUrl' | 'cdnBaseUrl'>): RequestHandler {
  const https = publicUrl.startsWith('https:');
  const pictures = cdnBaseUrl === null ? [] : [new URL(cdnBaseUrl).origin];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...pictures],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
}
