import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { startTcpGate } from '../../support/tcp-gate.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';
import { startCdpBrowser } from './cdp-browser.ts';
import { descendantsOf } from './process-tree.ts';

const LONG_MS = 300_000;

const browser = openBrowser(LOCAL);
/** They would not notice the end of their browser, unless it kills them itself. */
const stopped: number[] = [];

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  for (const pid of stopped) end(pid);
  await browser.close();
  await site.close();
}, LONG_MS);

/** Stops the process that draws the pages of a browser, which holds them up like a shader without end. */
function holdUp(): void {
  for (const { pid, command } of descendantsOf(process.pid)) {
    if (!command.includes('--type=gpu-process')) continue;
    process.kill(pid, 'SIGSTOP');
    stopped.push(pid);
  }
}

it(
  'a browser that draws nothing anymore is no fault of a page, which is captured in another',
  async () => {
    let views = 0;
    const url = site.page('/', (_, response) => {
      views += 1;
      if (views === 1) holdUp();
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('drawn'));
    });
    expect((await browser.capture(requestOf(url), never)).title).toBe('A page');
    expect(views).toBeGreaterThan(1);
  },
  LONG_MS,
);

it(
  'a remote browser that hangs once it is connected counts as away',
  async () => {
    const { address, kill } = await startCdpBrowser();
    let hangs = false;
    const gate = await startTcpGate({ hostname: address.hostname, port: Number(address.port) }, (client, server) => {
      // Without compression, answers can be read.
      client.once('data', (head) => {
        server.write(head.toString('latin1').replace(/^sec-websocket-extensions:.*\r\n/im, ''), 'latin1');
        client.pipe(server);
      });
      server.on('data', (bytes) => {
        // The answer to the first question that is ours.
        hangs ||= bytes.includes('featureStatus');
        if (!hangs) client.write(bytes);
      });
    });
    const browserWsEndpoint = Object.assign(address, { port: String(gate.port) }).href;
    const remote = openBrowser({ ...LOCAL, browserWsEndpoint });
    await expect(remote.engine()).rejects.toThrow('The browser does not answer');
    await Promise.all([remote.close(), gate.stop()]);
    await kill();
  },
  LONG_MS,
);
