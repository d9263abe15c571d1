import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy } from '../../src/http/security-headers.ts';

const config = { publicUrl: 'http://localhost:3000', cdnBaseUrl: null };

function policyOf(...about: Parameters<typeof contentSecurityPolicy>) {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  contentSecurityPolicy(...about)(req, res, () => {});
  return res.getHeader('Content-Security-Policy');
}

describe('the content security policy', () => {
  it('allows only what is our own', () => {
    expect(policyOf(config)).toBe(
      "default-src 'self';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';object-src 'none';" +
        "base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
  });

  it('forces https where the service is reached over it, and allows the images of the CDN', () => {
    const policy = policyOf({
      publicUrl: 'https://px.example',
      cdnBaseUrl: 'https://cdn.example/images',
    });
    expect(policy).toMatch(/;upgrade-insecure-requests$/);
    expect(policy).toContain("img-src 'self' data: https://cdn.example;");
  });

  it('allows more to one response, and to no other', () => {
    expect(policyOf(config, ['https://github.com'])).toContain("form-action 'self' https://github.com;");
    expect(policyOf(config)).not.toContain('github.com');
  });
});
