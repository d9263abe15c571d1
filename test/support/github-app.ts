import { createHmac, generateKeyPairSync } from 'node:crypto';

const WEBHOOK_SECRET = 'a webhook secret of ours';

/** A key for this test run. GitHub's keys are also PKCS#1. */
export const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString();

/** The environment variables of an App. */
export const APP_ENVIRONMENT = { APP_ID: '4711', PRIVATE_KEY, WEBHOOK_SECRET };

/** What sign-in with GitHub needs in addition. */
export const OAUTH = { GITHUB_CLIENT_ID: 'Iv1.8a61f9b3a7aba766', GITHUB_CLIENT_SECRET: 'a client secret of ours' };

export function signatureOf(body: string | Buffer, secret = WEBHOOK_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The headers that GitHub sends along with a delivery. */
export function deliveryHeaders(event: string, id: string, body: string | Buffer): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': signatureOf(body),
  };
}
