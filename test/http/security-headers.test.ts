import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy } from '../../src/http/security-headers.ts';

const config = { publicUrl: 'http://localhost:3000', cdnBaseUrl: null };

describe('the content security policy', () => {
  it('allows only what is our own', () => {
    expect(contentSecurityPolicy(config)).toBe(
      "default-src 'self';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';object-src 'none';" +
        "base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
  });

  it('forces https where the service is reached over it, and allows the images of the CDN', () => {
    const policy = contentSecurityPolicy({
      publicUrl: 'https://px.example',
      cdnBaseUrl: 'https://cdn.example/images',
    });
    expect(policy).toMatch(/;upgrade-insecure-requests$/);
    expect(policy).toContain("img-src 'self' data: https://cdn.example;");
  });

  it('allows more to one response, and to no other', () => {
    expect(contentSecurityPolicy(config, { 'form-action': ['https://github.com'] })).toContain(
      "form-action 'self' https://github.com;",
    );
    expect(contentSecurityPolicy(config)).not.toContain('github.com');
  });
});
