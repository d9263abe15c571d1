import { pino } from 'pino';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { startFilteringProxy } from '../../src/net/filtering-proxy.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

export const silent = pino({ level: 'silent' });

export const never = async () => false;

export function requestOf(url: string, changes: Partial<CaptureRequest> = {}): CaptureRequest {
  return {
    url,
    viewport: { width: 800, height: 600, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null },
    waitStrategy: 'load',
    waitTime: 0,
    fullPage: true,
    customCss: '',
    timeout: 10_000,
    ...SOON_AT_REST,
    looksBeyond: true,
    emulation: { colorScheme: 'light', locale: 'en-US', timezone: 'UTC', reducedMotion: true },
    clock: null,
    seedRandom: true,
    blockHosts: [],
    rules: { hide: [], remove: [], mask: [], ignore: [], waitFor: [], actions: [], css: '' },
    baseline: null,
    access: null,
    preview: null,
    serviceWorkers: 'block',
    site: null,
    ...changes,
  };
}

export const LOCAL = {
  chromiumPath: null,
  browserWsEndpoint: null,
  proxyUrl: async () => null,
  openProxy: async () => startFilteringProxy(null, silent),
  whyUnreachable: async () => null,
  addresses: async () => [],
  log: silent,
};
