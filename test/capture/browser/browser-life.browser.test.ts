import dgram from 'node:dgram';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium } from 'playwright';
import { CaptureError } from '../../../src/capture/browser/browser.ts';
import { ensureBrowser } from '../../../src/capture/browser/ensure-browser.ts';
import { findBrowser } from '../../../src/capture/browser/find-browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import type { Lookup } from '../../../src/net/checked-lookup.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import { LOCAL, never, requestOf, silent } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';
import { startCdpBrowser } from './cdp-browser.ts';
import { descendantsOf, isAlive } from './process-tree.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  site.page('/', html('<p>ok</p>'));
});
afterAll(async () => site.close());

const kill = (wanted: (command: string) => boolean) => {
  for (const { pid, command } of descendantsOf(process.pid)) if (wanted(command)) process.kill(pid, 'SIGKILL');
};
const isMain = (command: string) => command.includes('--remote-debugging-pipe') && !command.includes('--type=');
const isRenderer = (command: string) => command.includes('--type=renderer');

describe('the life of a browser', () => {
  it('begins with the first capture and ends with close, which leaves no process', async () => {
    const before = descendantsOf(process.pid).length;
    const browser = openBrowser(LOCAL);
    expect(descendantsOf(process.pid)).toHaveLength(before);
    await browser.capture(requestOf(site.origin), never);
    const processes = descendantsOf(process.pid);
    expect(processes.length).toBeGreaterThan(before);
    await browser.close();
    expect(processes.filter(({ pid, command }) => command.includes('chrom') && isAlive(pid))).toEqual([]);
    await expect(browser.capture(requestOf(site.origin), never)).rejects.toThrow('The browser is closed');
  });

  it('is renewed when it died between captures or within one', async () => {
    const browser = openBrowser(LOCAL);
    await browser.capture(requestOf(site.origin), never);
    kill(isMain);
    expect((await browser.capture(requestOf(site.origin), never)).title).toBe('A page');
    let views = 0;
    const url = site.page('/kills-once', (_, response) => {
      views += 1;
      if (views === 1) kill(isMain);
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('survived'));
    });
    expect((await browser.capture(requestOf(url), never)).title).toBe('A page');
    const always = site.page('/kills-always', () => kill(isMain));
    const lost = await browser.capture(requestOf(always), never).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(CaptureError);
    expect(lost).toHaveProperty('message', 'The browser crashed twice while capturing this page');
    await browser.close();
  });

  it('that a page kills again and again is no fault of the pages beside it', async () => {
    const browser = openBrowser(LOCAL);
    let views = 0;
    let ask = () => {};
    const url = site.page('/beside', (_, response) => {
      views += 1;
      ask();
      if (views > 2) response.writeHead(200, { 'content-type': 'text/html' }).end(html('survived'));
    });
    let kills = 0;
    const killing = site.page('/kills-beside', () => {
      kills += 1;
      ask = () => {
        if (views < Math.min(kills, 2)) return;
        ask = () => {};
        kill(isMain);
      };
      ask();
    });
    const [beside, lost] = await Promise.allSettled(
      [url, killing].map(async (each) => browser.capture(requestOf(each), never)),
    );
    expect(lost).toHaveProperty('reason.message', 'The browser crashed twice while capturing this page');
    expect(beside).toHaveProperty('value.title', 'A page');
    await browser.close();
  });

  it.each(['while it loads', 'before it answers'])('tries a page again whose tab crashes %s', async (when) => {
    const browser = openBrowser(LOCAL);
    let crashes = 0;
    const crash = (response: ServerResponse, most: number) => {
      crashes += 1;
      if (crashes <= most) kill(isRenderer);
      response.end('<!doctype html><title>A page</title>');
    };
    const isEarly = when === 'before it answers';
    const crashing = (path: string, most: number) => {
      site.page(`${path}.html`, (_, response) => crash(response, most));
      return site.page(path, (_, response) => {
        response.setHeader('content-type', 'text/html');
        if (isEarly) crash(response, most);
        else response.end(html(`<iframe src="${path}.html"></iframe>`));
      });
    };
    const once = await browser.capture(requestOf(crashing(`/crash-once-${isEarly}`, 1)), never);
    expect(once.title).toBe('A page');
    crashes = 0;
    const url = crashing(`/crash-twice-${isEarly}`, 2);
    const crashed = await browser.capture(requestOf(url), never).catch((error: unknown) => error);
    expect(crashed).toBeInstanceOf(CaptureError);
    expect(crashed).toHaveProperty(
      'message',
      'The page crashed twice, in two browsers. It may need more memory than is available.',
    );
    expect((await browser.capture(requestOf(site.origin), never)).title).toBe('A page');
    await browser.close();
  });

  it('ends captures that are under way when it is closed', async () => {
    const browser = openBrowser(LOCAL);
    const asked = new Promise<void>((resolve) => {
      site.page('/pending', () => resolve());
    });
    const pending = browser.capture(requestOf(`${site.origin}/pending`), never).catch((error: unknown) => error);
    await asked;
    await browser.close();
    expect(await pending).toHaveProperty('message', 'The browser was closed in the middle of a capture');
  });
});

describe('a proxy', () => {
  it('carries every request, those to loopback too, and nothing goes around it', async () => {
    const around = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(around, 'listening');
    let packets = 0;
    around.on('message', () => {
      packets += 1;
    });
    const source = html(`<img src="/held"><script type="module">
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${around.address().port}' }] });
      peer.createDataChannel('x');
      const gathered = new Promise((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve();
      });
      await peer.setLocalDescription(await peer.createOffer());
      await gathered;
      fetch('/gathered');
    </script>`);
    const seen: string[] = [];
    // The image delays the load event, and with it the screenshot, until WebRTC has tried everything.
    let held: ServerResponse | null = null;
    const proxy = createServer((request, response) => {
      seen.push(request.url ?? '');
      if (request.url === `${site.origin}/held`) {
        held = response;
        return;
      }
      response.writeHead(200, { 'content-type': 'text/html' }).end(source);
      if (request.url === `${site.origin}/gathered`) held?.end();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const browser = openBrowser({ ...LOCAL, proxyUrl: async () => `http://127.0.0.1:${port}` });
    const { warnings } = await browser.capture(requestOf(`${site.origin}/proxied`), never);
    expect(warnings).toEqual([]);
    expect(seen).toContain(`${site.origin}/proxied`);
    expect(seen).toContain(`${site.origin}/gathered`);
    expect(site.hits('/proxied')).toBe(0);
    expect(packets).toBe(0);
    await browser.close();
    around.close();
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe('the filtering proxy', () => {
  const NAMES = new Map([['inside.example.com', '10.0.0.1']]);
  const lookup: Lookup = (hostname, _, callback) => {
    const address = NAMES.get(hostname);
    if (address === undefined) callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    else callback(null, [{ address, family: 4 }]);
  };

  it.each([
    ['http://gone.example.com/', 'network', 'The host name gone.example.com could not be resolved'],
    ['https://gone.example.com/', 'network', 'The host name gone.example.com could not be resolved'],
    [
      'http://inside.example.com/',
      'private',
      'inside.example.com is not a public address, so Pixelgate does not connect to it',
    ],
    [
      'https://inside.example.com/',
      'private',
      'inside.example.com is not a public address, so Pixelgate does not connect to it',
    ],
    ['http://10.0.0.1/', 'private', '10.0.0.1 is not a public address, so Pixelgate does not connect to it'],
  ])('does not speak for the page: %s', async (url, code, message) => {
    const network = createNetwork({ allowPrivateTargets: false, log: silent, lookup });
    const browser = openBrowser({
      ...LOCAL,
      proxyUrl: async () => network.proxyUrl(),
      whyUnreachable: async (target) => network.whyUnreachable(target),
      addresses: async (hostname) => network.addresses(hostname),
    });
    const failed = await browser.capture(requestOf(url), never).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(CaptureError);
    expect(failed).toMatchObject({ code, message });
    await browser.close();
    await network.close();
  });
});

describe('a remote browser', () => {
  it("is reached at a Playwright server's address", async () => {
    const server = await chromium.launchServer({
      executablePath: (await findBrowser(null)) ?? '',
      chromiumSandbox: process.getuid?.() !== 0,
    });
    const browser = openBrowser({ ...LOCAL, browserWsEndpoint: server.wsEndpoint() });
    expect((await browser.capture(requestOf(site.origin), never)).title).toBe('A page');
    await browser.close();
    await server.close();
  });

  it('is reached at a CDP address, and stays when we leave', async () => {
    const { address, isRunning, kill: end } = await startCdpBrowser();
    for (const endpoint of [address.href, `http://${address.host}`]) {
      const browser = openBrowser({ ...LOCAL, browserWsEndpoint: endpoint });
      expect((await browser.capture(requestOf(site.origin), never)).title).toBe('A page');
      await browser.close();
      expect(isRunning()).toBe(true);
    }
    await end();
  });

  it('that is not there is told as what it is', async () => {
    const closed = await openSite();
    await closed.close();
    const browser = openBrowser({ ...LOCAL, browserWsEndpoint: closed.origin.replace('http', 'ws') });
    await expect(browser.capture(requestOf(site.origin), never)).rejects.toThrow(
      'BROWSER_WS_ENDPOINT supports neither',
    );
    await browser.close();
  });
});

describe('ensureBrowser', () => {
  it('is content with a browser that is there, or that is remote', async () => {
    const local = ensureBrowser({ chromiumPath: null, browserWsEndpoint: null }, silent);
    await expect(local).resolves.toBeUndefined();
    const remote = ensureBrowser({ chromiumPath: '/nowhere', browserWsEndpoint: 'ws://127.0.0.1:1' }, silent);
    await expect(remote).resolves.toBeUndefined();
  });

  it('refuses a CHROMIUM_PATH where nothing is, or that is no browser', async () => {
    const missing = ensureBrowser({ chromiumPath: '/nowhere/chromium', browserWsEndpoint: null }, silent);
    await expect(missing).rejects.toThrow('CHROMIUM_PATH is /nowhere/chromium, which is not an executable file.');
    const wrong = ensureBrowser({ chromiumPath: '/bin/false', browserWsEndpoint: null }, silent);
    await expect(wrong).rejects.toThrow('CHROMIUM_PATH is /bin/false, which does not start as a browser.');
  });
});
