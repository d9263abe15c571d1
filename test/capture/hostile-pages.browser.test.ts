import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../src/capture/browser/browser.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { createNetwork } from '../../src/net/create-network.ts';
import type { Network } from '../../src/net/network.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { LOCAL, never, requestOf, silent } from './requests.ts';

/** As in production: what is not public is refused by the proxy that the browser must use. */
let network: Network;
let browser: Browser;
let inside: Recorder;
beforeAll(async () => {
  network = createNetwork({ allowPrivateTargets: false, log: silent });
  browser = openBrowser({ ...LOCAL, proxyUrl: async () => network.proxyUrl() });
  inside = await startRecorder();
});
afterAll(async () => {
  await browser.close();
  await network.close();
  await inside.close();
});

/** The page is answered by us, so that it has a public name and all that it asks for goes out. */
async function capturePage(body: string, seen: (text: string) => void = () => undefined) {
  const origin = 'https://hostile.example.invalid';
  const site = {
    origin,
    answer: async (method: string, url: string) => {
      seen(`${method} ${new URL(url).pathname}${new URL(url).search}`);
      return { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(body) };
    },
  };
  return browser.capture(requestOf(`${origin}/`, { site }), never);
}

describe('a hostile page', () => {
  it('reaches nothing on the host or in its network, by whatever way a browser has', async () => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '127.0.0.1.', '0.0.0.0'];
    const attempts = hosts.map(
      (host) => `
        <img src="http://${host}:${inside.port}/img"><iframe src="http://${host}:${inside.port}/frame"></iframe>
        <link rel="stylesheet" href="http://${host}:${inside.port}/css"><script src="http://${host}:${inside.port}/js"></script>
        <script>
          fetch('http://${host}:${inside.port}/fetch', { mode: 'no-cors' }).catch(() => {});
          navigator.sendBeacon('http://${host}:${inside.port}/beacon', 'x');
          try { new WebSocket('ws://${host}:${inside.port}/socket') } catch {}
          new EventSource('http://${host}:${inside.port}/events');
        </script>`,
    );
    const { title } = await capturePage(`<!doctype html><title>Quiet</title>${attempts.join('')}`);
    expect(title).toBe('Quiet');
    expect(inside.got).toEqual([]);
  });

  it('finds nothing of what another capture left in the browser', async () => {
    const page = `<!doctype html><title>first</title><script>
      const found = document.cookie + (localStorage.left ?? '') + (sessionStorage.left ?? '');
      document.title = found === '' ? 'nothing' : found;
      document.cookie = 'left=cookie; max-age=86400'; localStorage.left = 'storage'; sessionStorage.left = 'session';
    </script>`;
    const titles = [(await capturePage(page)).title, (await capturePage(page)).title];
    expect(titles).toEqual(['nothing', 'nothing']);
  });

  it.each([
    ['logs', "console.log('again'.repeat(200))"],
    ['errors', "reportError(new Error('again'))"],
    ['rejections', "Promise.reject('again')"],
  ])('is an error when its %s never end, or those of its worker', async (_, act) => {
    const flood = `setInterval(() => { for (let count = 0; count < 1000; count += 1) ${act} }, 1)`;
    const inWorker = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(flood)}])))`;
    for (const script of [flood, inWorker]) {
      const capturing = capturePage(`<!doctype html><title>Loud</title><script>${script}</script>`);
      await expect(capturing).rejects.toThrow('The page keeps writing to the console');
    }
  });

  it('is an error when it writes few messages, and very long ones', async () => {
    const script = `for (let count = 0; count < 100; count += 1) console.log('x'.repeat(400_000))`;
    const capturing = capturePage(`<!doctype html><title>Long</title><script>${script}</script>`);
    await expect(capturing).rejects.toThrow('The page keeps writing to the console');
  });
});
