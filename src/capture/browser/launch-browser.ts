import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions } from 'playwright';
import { z } from 'zod';
import { withTimeLimit } from '../../async/time-limit.ts';
import { errorMessage } from '../../errors.ts';
import type { FilteringProxy } from '../../net/filtering-proxy.ts';
import type { Network } from '../../net/network.ts';
import { describeFonts, describeProcessor, UNKNOWN_PART } from './engine-parts.ts';
import { BrowserMissing, findBrowser } from './find-browser.ts';
import { loadChromium } from './load-playwright.ts';

export type BrowserOptions = {
  /** CHROMIUM_PATH. Null: search for a browser. */
  chromiumPath: string | null;
  /** BROWSER_WS_ENDPOINT: a Playwright server or a CDP address. Null: launch a local browser. */
  browserWsEndpoint: string | null;
  /** The filtering proxy that every request must go through. Null when every address is allowed. */
  proxyUrl: () => Promise<string | null>;
  /** A proxy for another browser, which can be limited to some hosts. */
  openProxy: () => Promise<FilteringProxy>;
  /** Why that proxy would not connect to a URL's host. Null: it would, or unknown. */
  whyUnreachable: Network['whyUnreachable'];
  /** The addresses that the proxy connects to for a host. Empty if unknown. */
  addresses: (hostname: string) => Promise<string[]>;
};

export type LaunchedBrowser = {
  browser: Browser;
  /**
   * Everything that decides the pixels: kind and version of the browser, Playwright (which sets fonts and emulation),
   * installed fonts, and the processor. Compare with `sameEngine`.
   */
  engine: string;
  /** Passed to each context, because a remote browser was launched by someone else, without our proxy. */
  contextProxy: NonNullable<BrowserContextOptions['proxy']> | null;
  remote: boolean;
  /** Requests go through the filtering proxy, which responds itself if it can't connect. */
  behindProxy: boolean;
  whyUnreachable: BrowserOptions['whyUnreachable'];
  addresses: BrowserOptions['addresses'];
  /** The headless shell on Linux, here or on another machine. */
  isLinuxShell: boolean;
  /** It composes pages without a graphics processor, so no texture limits the size of a screenshot. */
  inSoftware: boolean;
};

const CONNECT_MS = 30_000;
/** One that is there may still hang. */
const ANSWER_MS = 30_000;

/** Playwright's own setting for a headless browser. */
const BLINK_SETTINGS =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

const ARGS = [
  // Images that move (GIF, APNG, WebP, SVG) show their first frame. A second switch of this name would replace the first.
  `${BLINK_SETTINGS},imageAnimationPolicy=2`,
  // Otherwise large images may be drawn before they are decoded, as empty boxes.
  '--disable-checker-imaging',
  // Otherwise only the changed area is drawn again, and curves at its edge are rounded differently.
  '--disable-partial-raster',
  // Otherwise, on a busy machine, an element whose animation was ended may stay as it was in its first frame.
  '--disable-threaded-animation',
  // Playwright's own features, which a second switch replaces, and cookies that keep to their port as well as to their
  // host: a login must not go to another server on the same machine.
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,EnablePortBoundCookies',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--no-pings',
  // QUIC and WebRTC use UDP, which an HTTP proxy can't carry. So they could reach addresses that the proxy refuses. The
  // headless shell knows the first of the two WebRTC switches, Chrome the second.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

const { version: playwrightVersion } = z
  .object({ version: z.string() })
  .parse(createRequire(import.meta.url)('playwright/package.json'));

/**
 * Playwright's own switch. It costs a fifth of the processor time of a screenshot, and is needed if shared memory is
 * small.
 */
const NO_SHARED_MEMORY = '--disable-dev-shm-usage';
/** Bytes. Several large screenshots fit into that; the 64 MiB that containers have by default hold none. */
const MUCH_SHARED_MEMORY = 1024 ** 3;

async function hasSharedMemory(): Promise<boolean> {
  const found = await statfs('/dev/shm').catch(() => null);
  return found !== null && found.bavail * found.bsize >= MUCH_SHARED_MEMORY;
}

/** Chromium bypasses any proxy for loopback, unless `<-loopback>` removes that exception. */
function proxySettings(proxyUrl: string | null): LaunchedBrowser['contextProxy'] {
  if (proxyUrl === null) return null;
  const { protocol, host, username, password } = new URL(proxyUrl);
  return {
    server: `${protocol}//${host}`,
    bypass: '<-loopback>',
    ...(username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
}

async function askBrowser(browser: Browser) {
  const session = await browser.newBrowserCDPSession();
  const [version, system] = await Promise.all([
    session.send('Browser.getVersion'),
    // A remote browser may not tell.
    session.send('SystemInfo.getInfo').catch(() => null),
  ]);
  await session.detach();
  return { ...version, system };
}

/**
 * The headless shell and full Chromium produce different pixels. The name that the browser reports is right for any
 * binary.
 */
async function identify(
  browser: Browser,
  remote: boolean,
): Promise<Pick<LaunchedBrowser, 'engine' | 'isLinuxShell' | 'inSoftware'>> {
  // Facts about this machine say nothing about the one of a remote browser.
  const machine = remote ? [UNKNOWN_PART, UNKNOWN_PART] : [describeFonts(), describeProcessor()];
  const asking = withTimeLimit(ANSWER_MS, askBrowser(browser), () => new Error('The browser does not answer'));
  const [{ product, userAgent, system }, fonts, processor] = await Promise.all([asking, ...machine]);
  const isShell = product.startsWith('HeadlessChrome');
  const kind = isShell ? 'chromium-headless-shell' : 'chromium';
  return {
    engine: `${kind} ${browser.version()}; playwright ${playwrightVersion}; fonts ${fonts}; cpu ${processor}`,
    isLinuxShell: isShell && !/Windows|Macintosh/.test(userAgent),
    inSoftware: system?.gpu.featureStatus?.['gpu_compositing'] === 'disabled_software',
  };
}

/**
 * A `ws://` address may use either protocol. Only CDP has `/devtools/` in its path. Otherwise Playwright's protocol is
 * tried first.
 */
async function connect(endpoint: string): Promise<Browser> {
  const { protocol, pathname } = new URL(endpoint);
  const chromium = loadChromium();
  const overCdp = () => chromium.connectOverCDP(endpoint, { timeout: CONNECT_MS });
  if (protocol.startsWith('http') || pathname.includes('/devtools/')) return overCdp();
  try {
    return await chromium.connect(endpoint, { timeout: CONNECT_MS });
  } catch (asPlaywright) {
    try {
      return await overCdp();
    } catch (asCdp) {
      const reasons = `Playwright (${errorMessage(asPlaywright)}) nor CDP (${errorMessage(asCdp)})`;
      throw new Error(`BROWSER_WS_ENDPOINT supports neither ${reasons}`, { cause: asCdp });
    }
  }
}

async function launchLocal(
  chromiumPath: string | null,
  proxy: LaunchedBrowser['contextProxy'],
  args: string[],
): Promise<Browser> {
  const executablePath = await findBrowser(chromiumPath);
  if (executablePath === null) {
    throw new BrowserMissing('No browser was found. Install chromium-headless-shell or set CHROMIUM_PATH.');
  }
  const chromium = loadChromium();
  return chromium.launch({
    executablePath,
    headless: true,
    // Chromium refuses to run its sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...ARGS, ...args],
    ignoreDefaultArgs: [BLINK_SETTINGS, ...((await hasSharedMemory()) ? [NO_SHARED_MEMORY] : [])],
    // The service decides when the browser stops, so that captures can finish.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...(proxy === null ? {} : { proxy }),
  });
}

/**
 * Launches a local browser, or connects to a remote one.
 * @param args further ones of a local browser
 */
export async function launchBrowser(
  options: Omit<BrowserOptions, 'openProxy'>,
  args: string[] = [],
): Promise<LaunchedBrowser> {
  const proxy = proxySettings(await options.proxyUrl());
  const remote = options.browserWsEndpoint !== null;
  const browser = await (options.browserWsEndpoint === null
    ? launchLocal(options.chromiumPath, proxy, args)
    : connect(options.browserWsEndpoint));
  try {
    return {
      browser,
      ...(await identify(browser, remote)),
      contextProxy: remote ? proxy : null,
      remote,
      behindProxy: proxy !== null,
      whyUnreachable: options.whyUnreachable,
      addresses: options.addresses,
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
