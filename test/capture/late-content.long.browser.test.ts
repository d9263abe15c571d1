import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Capture } from '../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from './requests.ts';
import { html, openSite, type Site } from './site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  site = await openSite();
  site.page('/beacon', (_, response) => response.writeHead(204).end());
  site.page('/hang', () => undefined);
  site.page('/slow', (_, response) => setTimeout(() => response.writeHead(204).end(), 4000));
  site.page('/moved', html('<p>Moved</p>'));
  site.page('/late.svg', ({ url }, response) => {
    const picture = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="90" height="90" fill="teal"/></svg>';
    response.setHeader('content-type', 'image/svg+xml');
    setTimeout(() => response.end(picture), url?.endsWith('?slow') ? 900 : 0);
  });
  browser = openBrowser(LOCAL);
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

const SETTLE = { quiet: 300, network: 200, timeout: 2000 };
const LATE = '<p>Always</p><p id="late"></p>';
const SHOW = "late.textContent = 'Late'";
const DONE = html(LATE.replace('></p>', '>Late</p>'));
const TICKS = '<b id="n"></b><script>let k = 0; setInterval(() => { n.textContent = k += 1 }, 100)</script>';

const script = (text: string) => html(`${LATE}<script>${text}</script>`);

async function capture(url: string, changes: Partial<CaptureRequest> = {}): Promise<Capture> {
  return browser.capture(requestOf(url, { settle: SETTLE, ...changes }), never);
}

const toBaseline = ({ sha256, atRest, way }: Capture) => ({ sha256, atRest, way });

const codes = ({ warnings }: Capture) => warnings.map(({ code }) => code);

/** Whether the page looks like this, finished from the start. */
async function looksLike(taken: Capture, path: string, finished: string): Promise<boolean> {
  return (await capture(site.page(`${path}-finished`, finished))).sha256 === taken.sha256;
}

describe('a timer', () => {
  it.concurrent.each([
    ['before the limit', 1900],
    ['at the limit', 2000],
  ])('that is due %s is waited for, and so is what it leads to', async (name, delay) => {
    const path = `/in-${delay}`;
    const url = site.page(
      path,
      script(`addEventListener('load', () => setTimeout(() => setTimeout(() => { ${SHOW} }, 100), ${delay - 100}))`),
    );
    const seed = await capture(url);
    expect({ ...seed.way, warnings: seed.warnings }).toEqual({
      clock: 'running',
      timeout: 2000,
      late: [],
      warnings: [],
    });
    expect({ name, isIn: await looksLike(seed, path, DONE) }).toEqual({ name, isIn: true });
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect(again.sha256).toBe(seed.sha256);
  });

  it.concurrent.each([
    ['an interval', 'setInterval(turn, 3_900)'],
    [
      'a timer that sets itself again',
      'const next = () => { turn(); setTimeout(next, 3_900) }; setTimeout(next, 3_900)',
    ],
  ])('that recurs has its turns until the limit, and no more: %s', async (name, begins) => {
    const path = `/recurs-${name.length}`;
    const turn = `let turns = 0; const turn = async () => { await fetch('/beacon?${path}'); if (++turns === 3) { ${SHOW} } }`;
    const url = site.page(path, script(`${turn}; ${begins}`));
    const settle = { ...SETTLE, timeout: 12_000 };
    const seed = await capture(url, { settle });
    expect({ atRest: seed.atRest, isIn: await looksLike(seed, path, DONE) }).toEqual({ atRest: true, isIn: true });
    expect(seed.screenshots).toBe(3);
  });

  it.concurrent.each([
    ['turns', 'setInterval(async () => { await null; late.textContent = turns += 1 }, 1500)', [], '1'],
    [
      'a timer',
      'setTimeout(() => { late.textContent = turns += 1 }, 1500); setTimeout(() => { n.remove() }, 2600)',
      [2600],
      '1',
    ],
  ])(
    'has no more %s where the page grew meanwhile and was scrolled through again',
    async (name, begins, late, shown) => {
      const path = `/grows-${name.length}`;
      const grow = "setTimeout(() => { n.style.height = '2000px' }, 200)";
      const below = '<div id="n" style="height: 1500px"></div>';
      const url = site.page(path, html(`${LATE}${below}<script>let turns = 0; ${begins}; ${grow}</script>`));
      const seed = await capture(url);
      const finished = html(LATE.replace('></p>', `>${shown}</p>`) + below.replace('1500', '2000'));
      expect({ late: seed.way.late, isIn: await looksLike(seed, path, finished) }).toEqual({ late, isIn: true });
      expect(seed.stability).toBe('AT_ONCE');
    },
  );

  it.concurrent('at the limit is waited for with a stopped clock, too', async () => {
    const url = site.page('/in-still', html(`${LATE}${TICKS}<script>setTimeout(() => { ${SHOW} }, 2000)</script>`));
    const seed = await capture(url);
    const without = await capture(site.page('/in-still-without', html(`${LATE}${TICKS}`)));
    expect(seed.way).toEqual({ clock: 'stopped', timeout: 2000, late: [] });
    expect(seed.sha256).not.toBe(without.sha256);
    expect((await capture(url, { baseline: toBaseline(seed) })).sha256).toBe(seed.sha256);
  });

  it.concurrent('after the limit that changes nothing is not blamed for what scrolling begins', async () => {
    const shows = `onscroll = () => requestAnimationFrame(() => setTimeout(() => { ${SHOW} }, 50)); setTimeout(() => {}, 4000)`;
    const url = site.page('/scrolled', html(`<div style="height:1500px"></div>${LATE}<script>${shows}</script>`));
    expect((await capture(url)).warnings).toEqual([]);
  });

  it.concurrent('after the limit is left out, and told with the setting that would include it', async () => {
    const url = site.page('/out', script(`setTimeout(() => { ${SHOW} }, 2100)`));
    const seed = await capture(url);
    const message =
      'The page changes 2.1 seconds after it has loaded, which is after the limit of 2 seconds, so that is not in the screenshot. Set settle.timeout to 2100 to include it.';
    expect(seed.warnings).toEqual([{ code: 'late_timer', message, timeout: 2100 }]);
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, warnings: again.warnings }).toEqual({
      sha256: seed.sha256,
      warnings: seed.warnings,
    });
    const longer = await capture(url, { settle: { ...SETTLE, timeout: 2100 } });
    expect({ late: longer.way.late, isIn: await looksLike(longer, '/out', DONE) }).toEqual({ late: [], isIn: true });
  });

  it.concurrent.each([
    ['in a row', `setTimeout(() => { late.title = 'a'; setTimeout(() => { ${SHOW} }, 1500) }, 1500)`, 3000],
    [
      'that a function sleeps for',
      `(async () => { const sleep = (ms) => new Promise((r) => setTimeout(r, ms)); await sleep(1500); late.title = 'a'; await sleep(1500); ${SHOW} })()`,
      3000,
    ],
    ['after a request', `fetch('/beacon').then(() => setTimeout(() => { ${SHOW} }, 2500))`, 2500],
    ['that moves on', "setTimeout(() => { location.href = '/moved' }, 3000)", 3000],
  ])('%s is told by all its delays', async (name, text, due) => {
    const { way } = await capture(site.page(`/out-${name.replaceAll(' ', '-')}`, script(text)));
    expect(way.late).toEqual([due]);
  });

  it.concurrent('after the limit is left out of a page that took longer to load', async () => {
    const late = `<img src="/slow" alt="">${LATE}<script>setTimeout(() => { ${SHOW} }, 2100)</script>`;
    const seed = await capture(site.page('/out-slow', html(late)));
    expect({ late: seed.way.late, codes: codes(seed) }).toEqual({ late: [2100], codes: ['late_timer'] });
    const without = html(`<img src="/slow" alt="">${LATE}`);
    expect(await looksLike(seed, '/out-slow', without)).toBe(true);
  });

  it.concurrent('after the limit runs once a rule waits for it', async () => {
    const url = site.page('/out-rule', script(`setTimeout(() => { ${SHOW} }, 2600)`));
    const rules = { ...requestOf(url).rules, actions: [{ type: 'wait' as const, ms: 3000 }] };
    expect(await looksLike(await capture(url, { rules }), '/out-rule', DONE)).toBe(true);
  });

  it.concurrent('after the limit is told on a page that keeps changing', async () => {
    const url = site.page('/out-still', html(`${LATE}${TICKS}<script>setTimeout(() => { ${SHOW} }, 3000)</script>`));
    const seed = await capture(url);
    expect({ way: seed.way, codes: codes(seed) }).toEqual({
      way: { clock: 'stopped', timeout: 2000, late: [3000] },
      codes: ['clock_stopped', 'late_timer'],
    });
  });

  it.concurrent.each([
    ['changes nothing', "setTimeout(() => fetch('/beacon', { method: 'POST' }), 2500)"],
    ['polls', "(function poll() { setTimeout(() => { fetch('/beacon'); poll() }, 500) })()"],
    ['is due after the longest limit', `setTimeout(() => { ${SHOW} }, 40_000)`],
  ])('that %s is not told', async (name, text) => {
    const { warnings } = await capture(site.page(`/silent-${name.replaceAll(' ', '-')}`, script(text)));
    expect(warnings).toEqual([]);
  });
});

describe('an animation that shows nothing', () => {
  it.concurrent.each([
    ['of an element beside the page', "document.createElement('p').animate({ opacity: [0, 1] }, 1500)"],
    ['without an element', 'new Animation(new KeyframeEffect(null, [], 1500)); animation.play()'],
  ])('is waited for like a timer: %s', async (name, text) => {
    const path = `/unseen-${name.length}`;
    const begins = script(`const animation = ${text}; animation.onfinish = () => { ${SHOW} }`);
    expect(await looksLike(await capture(site.page(path, begins)), path, DONE)).toBe(true);
  });
});

describe('a stopped clock', () => {
  it.concurrent.each([20, 31, 43, 57, 73, 97])(
    'shows a page with two looks that takes turns each %d ms',
    async (ms) => {
      const turns = `let k = 0; setInterval(() => { late.textContent = (k += 1) % 2 ? 'Tick' : 'Tock' }, ${ms})`;
      const { way } = await capture(site.page(`/turns-${ms}`, script(turns)));
      expect(way.clock).toBe('stopped');
    },
  );

  const swaps = (every: number) =>
    `setInterval(() => { late.className = 'swap'; late.textContent = 'Late'; setTimeout(() => { late.className = '' }, 20) }, ${every})`;
  const style = '<style>.swap { opacity: 0.3 }</style>';

  it.concurrent.each([
    ['on the beat', swaps(500)],
    [
      'with answers',
      swaps(500).replace('() => { late.className', "async () => { await fetch('/beacon'); late.className"),
    ],
    [
      'by a function that sleeps',
      "(async () => { for (;;) { await new Promise((r) => setTimeout(r, 500)); late.className = 'swap'; late.textContent = 'Late'; setTimeout(() => { late.className = '' }, 20) } })()",
    ],
  ])('does not end in the middle of a swap: %s', async (name, text) => {
    const path = `/swaps-${name.replaceAll(' ', '-')}`;
    const url = site.page(path, html(`${style}${LATE}${TICKS}<script>${text}</script>`));
    const seed = await capture(url);
    expect(seed.way.clock).toBe('stopped');
    const unmarked = text
      .replace("late.className = 'swap'; ", '')
      .replace("setTimeout(() => { late.className = '' }, 20)", '');
    const finished = html(`${style}${LATE}${TICKS}<script>${unmarked}</script>`);
    expect((await capture(site.page(`${path}-finished`, finished))).sha256).toBe(seed.sha256);
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
  });
});

describe('a page whose baseline was captured in another way', () => {
  const POPUP = `setTimeout(() => { ${SHOW} }, 2500)`;
  const longer = { settle: { ...SETTLE, timeout: 3000 } };

  it.concurrent('is captured in both, and has not changed where it equals its baseline in one', async () => {
    const url = site.page('/both', script(POPUP));
    const seed = await capture(url);
    const again = await capture(url, { ...longer, baseline: toBaseline(seed) });
    expect(again).toMatchObject({ asBefore: 'other_timeout', way: { timeout: 3000, late: [] } });
    expect(again.sha256).not.toBe(seed.sha256);
    expect(again.warnings).toEqual([
      {
        code: 'other_timeout',
        message:
          'The baseline was captured with a limit of 2 seconds for the page to become stable, and this screenshot with 3 seconds. With the limit of the baseline, the page has not changed.',
      },
    ]);
  });

  it.concurrent('has changed where it does not', async () => {
    const url = site.page('/both-changed', script(POPUP));
    const seed = await capture(url);
    site.page('/both-changed', script(`document.body.style.background = 'red'; ${POPUP}`));
    const again = await capture(url, { ...longer, baseline: toBaseline(seed) });
    expect(again.asBefore).toBeNull();
    expect(codes(again)).toEqual(['other_timeout']);
  });
});

describe('a page that is taller than the window', () => {
  it.concurrent.each([
    ['the window', "addEventListener('resize', write)"],
    ['the window, by its attribute', 'document.body.onresize = write'],
    ['what is seen of it', "visualViewport.addEventListener('resize', write)"],
    ['a media query', "matchMedia('(max-width: 500px)').addEventListener('change', write)"],
    ['a media query, by its attribute', "matchMedia('(min-height: 500px)').onchange = write"],
    [
      'a frame in it',
      `const frame = document.createElement('iframe'); frame.srcdoc = '<p id="late">Frame</p><script>let times = 0;
        addEventListener("resize", () => { late.textContent = times += 1 })</' + 'script>'; document.body.append(frame)`,
    ],
  ])('does not hear that its screenshot resizes %s', async (name, text) => {
    const writes = `let times = 0; const write = () => { late.textContent = times += 1 }; ${text}`;
    const tall = html(`${LATE}<div style="height: 3000px"></div><script>${writes}</script>`);
    const url = site.page(`/tall-${name.length}`, tall);
    const seed = await capture(url);
    expect({ clock: seed.way.clock, warnings: seed.warnings }).toEqual({ clock: 'running', warnings: [] });
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
  });

  it.concurrent('is scrolled through only if something listens to that', async () => {
    const looks = `setInterval(() => { if (scrollY > 0) ${SHOW} }, 20)`;
    const below = '<div style="height: 3000px"></div>';
    const taken = await capture(site.page('/looks', html(`${LATE}${below}<script>${looks}</script>`)));
    expect(await looksLike(taken, '/looks', html(LATE + below))).toBe(true);
  });

  it.concurrent('has frames that hear of their own sizes', async () => {
    const frame = `const frame = document.createElement('iframe'); frame.width = 100; frame.srcdoc = '<p id="late">Small</p><script>
      addEventListener("resize", () => { late.textContent = innerWidth })</' + 'script>'; late.append(frame);
      setTimeout(() => { frame.width = 200 }, 500)`;
    const grown = await capture(site.page('/grown', script(frame)));
    const text = frame.replace('>Small<', '>200<').replace(/setTimeout.*/s, 'frame.width = 200');
    expect(await looksLike(grown, '/grown', script(text))).toBe(true);
  });
});

describe('a page that redirects after it has loaded', () => {
  it.concurrent.each([
    ['by its document', html('<p>Wait</p>', '<meta http-equiv="refresh" content="1; url=/moved">'), {}],
    ['by a header', html('<p>Wait</p>'), { refresh: '1; url=/moved' }],
    ['after some seconds', html('<p>Wait</p>', '<meta http-equiv="refresh" content="4; url=/moved">'), {}],
  ])('shows where it leads: %s', async (name, text, headers) => {
    const path = `/redirects-${name.length}`;
    const url = site.page(path, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text),
    );
    expect(await looksLike(await capture(url), path, html('<p>Moved</p>'))).toBe(true);
  });

  it.concurrent.each([
    ['to itself', '4'],
    ['to another host', '4; url=https://elsewhere.test'],
    ['much later', '20; url=/moved'],
  ])('is shown itself where it does so %s after some seconds', async (name, content) => {
    const path = `/stays-${name.length}`;
    const page = html('<p>Wait</p>', `<meta http-equiv="refresh" content="${content}">`);
    expect(await looksLike(await capture(site.page(path, page)), path, html('<p>Wait</p>'))).toBe(true);
  });
});

describe('a page that looks like its baseline at first', () => {
  it.concurrent('has changed where a loop of frames shows more later', async () => {
    const seed = await capture(site.page('/frames', html(LATE)));
    const loop = `let n = 0; (function draw() { if ((n += 1) < 60) requestAnimationFrame(draw); else ${SHOW} })()`;
    const again = await capture(site.page('/frames', script(loop)), { baseline: toBaseline(seed) });
    expect(again.sha256).not.toBe(seed.sha256);
    expect(await looksLike(again, '/frames', DONE)).toBe(true);
  });

  it.concurrent.each([
    ['a popover', '<p id="p" popover>Late</p>', 'p.showPopover()', `setTimeout(() => p.showPopover(), 900)`],
    [
      'a background',
      '<p id="p">A</p>',
      "p.style.background = 'url(/late.svg)'",
      "p.style.background = 'url(/late.svg?slow)'",
    ],
    [
      'a rule',
      '<style id="s">p { color: red }</style>',
      's.disabled = true',
      'setTimeout(() => { s.disabled = true }, 900)',
    ],
    [
      'a loop of messages',
      '',
      SHOW,
      `const { port1, port2 } = new MessageChannel(); const start = Date.now();
        port1.onmessage = () => { if (Date.now() - start > 900) ${SHOW}; else port2.postMessage(0) }; port2.postMessage(0)`,
    ],
  ])('has changed where %s shows more later', async (name, body, now, later) => {
    const path = `/shows-${name.replaceAll(' ', '-')}`;
    const page = (text: string) => html(`${body}${LATE}<script>addEventListener('load', () => { ${text} })</script>`);
    const before = await capture(site.page(path, page('')));
    const again = await capture(site.page(path, page(later)), { baseline: toBaseline(before) });
    expect(again.sha256).not.toBe(before.sha256);
    expect(await looksLike(again, path, page(now))).toBe(true);
  });

  const READS = `const opening = indexedDB.open('kept', 1); opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore('all'); for (let k = 0; k < 3000; k += 1) store.put('content', k) };
    opening.onsuccess = () => {
      const reading = opening.result.transaction('all').objectStore('all').getAll(); reading.onsuccess = () => { ${SHOW} } }`;
  const KEY = "crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits'])";
  const SALT = "{ name: 'PBKDF2', salt: new Uint8Array(8), iterations: 300_000, hash: 'SHA-256' }";
  it.concurrent.each([
    ['a database', READS],
    ['a key', `${KEY}.then(async (key) => crypto.subtle.deriveBits(${SALT}, key, 256)).then(() => { ${SHOW} })`],
    [
      'a cache',
      `caches.open('kept').then(async (kept) => { for (let k = 0; k < 50; k += 1) await kept.put('/' + k, new Response('content')); ${SHOW} })`,
    ],
    [
      'a file',
      `const reader = new FileReader; reader.onload = () => { ${SHOW} }; reader.readAsDataURL(new Blob([new Uint8Array(2e7)]))`,
    ],
    ['a picture', `new OffscreenCanvas(2000, 2000).getContext('2d').canvas.convertToBlob().then(() => { ${SHOW} })`],
  ])('has changed where %s that a script waits for shows more later', async (name, work) => {
    const path = `/waits-for-${name.replaceAll(' ', '-')}`;
    const settle = { ...SETTLE, timeout: 5000 };
    const before = await capture(site.page(path, script('')), { settle });
    const again = await capture(site.page(path, script(work)), { settle, baseline: toBaseline(before) });
    expect(await looksLike(again, path, DONE)).toBe(true);
  });

  it.concurrent('has not where a loop of frames never shows anything', async () => {
    const url = site.page('/frames-for-ever', script('(function draw() { requestAnimationFrame(draw) })()'));
    const seed = await capture(url);
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
  });

  it.concurrent.each([
    ['a frame', (inner: string) => html(`<iframe sandbox srcdoc="${inner}"></iframe>`), {}],
    [
      'a frame with a video',
      (inner: string) => html(`<iframe sandbox srcdoc="<video controls width=90></video>${inner}"></iframe>`),
      {},
    ],
    ['the page', html, { 'content-security-policy': 'sandbox' }],
  ])('has not where %s may not run scripts', async (name, body, headers) => {
    const page = body('<p aria-busy=true>Still</p><script>0</script>');
    const url = site.page(`/sandbox-${name.length}`, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(page),
    );
    const seed = await capture(url);
    expect({ clock: seed.way.clock, warnings: seed.warnings }).toEqual({ clock: 'running', warnings: [] });
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
  });

  it.concurrent('shows a video in a frame that may not run scripts as in one that may', async () => {
    const frame = (sandbox: string) => html(`<iframe sandbox="${sandbox}" srcdoc="<video controls width=90></video>">`);
    const [still, scripted] = await Promise.all([
      capture(site.page('/video-still', frame(''))),
      capture(site.page('/video-scripted', frame('allow-scripts'))),
    ]);
    expect(still.sha256).toBe(scripted.sha256);
  });
});

describe('a worker', () => {
  const serve = (path: string, text: string) =>
    site.page(path, (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(text));

  it.concurrent('that has said something is waited for when it is asked', async () => {
    serve('/asked.js', "postMessage('ready'); onmessage = () => setTimeout(() => postMessage('Late'), 1200)");
    const ask = "const w = new Worker('/asked.js'); w.onmessage = ({ data }) => ";
    const url = site.page('/asks', script(`${ask} { if (data === 'ready') w.postMessage(0); else ${SHOW} }`));
    expect(await looksLike(await capture(url), '/asks', DONE)).toBe(true);
  });

  it.concurrent('that is shared does not keep a page from rest', async () => {
    serve('/shared.js', 'onconnect = ({ ports: [port] }) => port.postMessage(0)');
    const url = site.page('/shares', script(`new SharedWorker('/shared.js').port.onmessage = () => { ${SHOW} }`));
    const settle = { ...SETTLE, timeout: 5000 };
    const { atRest, warnings } = await capture(url, { settle });
    expect({ atRest, warnings }).toEqual({ atRest: true, warnings: [] });
  });
});

describe('what has spoken', () => {
  it.concurrent.each([
    ['a worker', "new Worker('/speaks.js')"],
    ['a stream of events', "new EventSource('/speaks')"],
  ])('may speak again, and is waited for: %s', async (name, opens) => {
    const speaks = "postMessage('first'); setTimeout(() => postMessage('then'), 1500)";
    site.page('/speaks.js', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(speaks),
    );
    site.page('/speaks', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      setTimeout(() => response.write('data: then\n\n'), 1500);
    });
    const path = `/hears-${name.length}`;
    const hears = script(`${opens}.onmessage = ({ data }) => { if (data === 'then') ${SHOW} }`);
    const settle = { ...SETTLE, timeout: 5000 };
    const before = await capture(site.page(path, script('')), { settle });
    const url = site.page(path, hears);
    const taken = await capture(url, { settle });
    const again = await capture(url, { settle, baseline: toBaseline(before) });
    expect([await looksLike(taken, path, DONE), again.sha256]).toEqual([true, taken.sha256]);
  });

  it.concurrent('is waited for in turns, however often it was asked', async () => {
    const answers = 'onmessage = ({ data }) => setTimeout(() => postMessage(data), 1200)';
    site.page('/answers.js', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(answers),
    );
    const asks = `const w = new Worker('/answers.js'); w.postMessage(3);
      w.onmessage = ({ data }) => { if (data > 0) w.postMessage(data - 1); else ${SHOW} }`;
    const settle = { ...SETTLE, timeout: 8000 };
    expect(
      await looksLike(await capture(site.page('/asks-often', script(asks)), { settle }), '/asks-often', DONE),
    ).toBe(true);
  });
});

describe('a page that keeps sending requests', () => {
  it.concurrent.each([
    ['beacons', "setInterval(() => fetch('/beacon?' + Math.random(), { method: 'POST' }), 150)"],
    ['beacons of many names', "let n = 0; setInterval(() => fetch('/beacon/' + (n += 1)).catch(() => 0), 150)"],
    ['a poll that waits for each answer', "(function poll() { fetch('/beacon').then(() => setTimeout(poll, 20)) })()"],
  ])('is at rest when they change nothing: %s', async (name, text) => {
    const url = site.page(`/sends-${name.replaceAll(' ', '-')}`, script(text));
    const seed = await capture(url);
    expect({ atRest: seed.atRest, warnings: seed.warnings }).toEqual({ atRest: true, warnings: [] });
    const again = await capture(url, { baseline: toBaseline(seed) });
    expect({ sha256: again.sha256, warnings: again.warnings }).toEqual({ sha256: seed.sha256, warnings: [] });
  });

  it.concurrent('is not at rest while one that may change it has no answer', async () => {
    const { warnings } = await capture(site.page('/sends-hang', script("fetch('/hang')")));
    expect(warnings).toEqual([
      { code: 'not_at_rest', message: 'The page was not stable 2 seconds after it loaded: a request did not end' },
    ]);
  });
});

it.each([
  [120, 90],
  [320, 240],
])('shows the controls of a video of %d by %d px without the ring that turns while it loads', async (width, height) => {
  const film = await readFile(new URL('../corpus/files/amber.webm', import.meta.url));
  site.page('/amber.webm', (_, response) => response.writeHead(200, { 'content-type': 'video/webm' }).end(film));
  const video = `<video width="${width}" height="${height}" controls muted src="/amber.webm"></video>`;
  const url = site.page(`/film-${width}`, html(video));
  const seed = await capture(url);
  expect({ stability: seed.stability, warnings: seed.warnings }).toEqual({ stability: 'AT_ONCE', warnings: [] });
  const again = await capture(url, { baseline: toBaseline(seed) });
  expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
});

it.each(['', 'autoplay muted'])('shows the controls of a video that never loads without the ring: %s', async (how) => {
  const url = site.page(
    `/film-hangs-${how.length}`,
    html(`<video width="320" height="200" controls ${how} src="/hang"></video>`),
  );
  const seed = await capture(url, { timeout: 4000 });
  expect({ stability: seed.stability, warnings: seed.warnings }).toEqual({ stability: 'AT_ONCE', warnings: [] });
  const again = await capture(url, { timeout: 4000, baseline: toBaseline(seed) });
  expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256: seed.sha256, screenshots: 1 });
});

it('shows the controls of a small video the same, whatever size it had before', async () => {
  const film = await readFile(new URL('../corpus/files/amber.webm', import.meta.url));
  site.page('/amber.webm', (_, response) => response.writeHead(200, { 'content-type': 'video/webm' }).end(film));
  const video = (style: string) => `<video id="v" style="${style}" controls muted src="/amber.webm"></video>`;
  const [SMALL, LARGE] = ['width:64px;height:48px', 'width:400px;height:300px'];
  const shrinks = `${video(LARGE)}<script>setTimeout(() => { v.style = '${SMALL}' }, 300)</script>`;
  const taken = await capture(site.page('/film-shrinks', html(shrinks)));
  expect(await looksLike(taken, '/film', html(video(SMALL)))).toBe(true);
});
