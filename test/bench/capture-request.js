/** What a suite with default settings asks for, with changes. */
export function captureRequest(url, changes) {
  return {
    url,
    viewport: { width: 1280, height: 800, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null },
    waitStrategy: 'load',
    waitTime: 0,
    fullPage: true,
    customCss: '',
    timeout: 30_000,
    settle: { quiet: 1000, network: 600, timeout: 5000 },
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
