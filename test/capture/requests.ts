import { pino } from 'pino';
import type { CaptureRequest } from '../../src/capture/browser.ts';

export const silent = pino({ level: 'silent' });

export const never = async () => false;

export function requestOf(url: string, changes: Partial<CaptureRequest> = {}): CaptureRequest {
  return {
    url,
    viewport: { width: 800, height: 600 },
    waitStrategy: 'load',
    waitTime: 0,
    fullPage: true,
    customCss: '',
    userAgent: null,
    timeout: 10_000,
    baselineSha256: null,
    ...changes,
  };
}

export const LOCAL = {
  chromiumPath: null,
  browserWsEndpoint: null,
  proxyUrl: async () => null,
  log: silent,
};
