import { late, lateBody, latePage, parameter, show } from './corpus-page.js';

const SWAPS = '<style>.swap { opacity: 0.3 }</style>';

/** What is shown for 20 ms each time, as htmx does. */
const swap = ({ word }) =>
  `late.innerHTML = '<b>${word}</b>'; late.className = 'swap'; setTimeout(() => { late.className = '' }, 20)`;

const TICKS = `<i id="n"></i><script>let ticks = 0; setInterval(() => { n.textContent = ticks += 1 }, 400)</script>`;

const settle = (timeout) => ({ settle: { quiet: 1000, network: 600, timeout } });

/** A page whose change comes after the limit: it is not seen, and a warning tells. */
const warned = (code, page) => ({ ...page, warns: code });

/** Clocks and polls on and off the beat. */
export const BEAT_PAGES = [
  ...[250, 300, 500, 1000].map((ms) =>
    latePage(`a poll that swaps every ${ms} ms`, (variant) => {
      return `${SWAPS}${lateBody(`setInterval(() => { ${swap(variant)} }, ${ms})`)}`;
    }),
  ),
  latePage('a poll that fetches and swaps each second', (variant) => {
    const fetches = `await (await fetch('/plain?body=${variant.word}')).text()`;
    return `${SWAPS}${lateBody(`setInterval(async () => { ${fetches}; ${swap(variant)} }, 1000)`)}`;
  }),
  latePage('a poll that swaps each second beside a number that counts', (variant) => {
    return `${SWAPS}${TICKS}${lateBody(`setInterval(() => { ${swap(variant)} }, 1000)`)}`;
  }),
  ...[990, 1000].map((ms) =>
    latePage(`a clock that counts every ${ms} ms`, ({ word }) => {
      return lateBody(`let count = 0; setInterval(() => { late.textContent = '${word} ' + (count += 1) }, ${ms})`);
    }),
  ),
];

/** Pop-ups before, at and after the limit. */
export const POPUP_PAGES = [
  ...[3000, 4900, 5000].map((ms) => {
    return late(
      `a pop-up after ${ms} ms`,
      (done) => `addEventListener('load', () => setTimeout(() => { ${done} }, ${ms}))`,
    );
  }),
  ...[5100, 6000, 8000, 10_000].map((ms) => {
    return warned(
      'late_timer',
      late(`a pop-up after ${ms} ms`, (done) => `setTimeout(() => { ${done} }, ${ms})`),
    );
  }),
  warned(
    'late_timer',
    late('a pop-up after 2,500 and 2,600 ms', (done) => `setTimeout(() => setTimeout(() => { ${done} }, 2600), 2500)`),
  ),
  warned(
    'late_timer',
    late('a pop-up 6,000 ms after the page is idle', (done) => {
      return `requestIdleCallback(() => setTimeout(() => { ${done} }, 6000))`;
    }),
  ),
  warned(
    'late_timer',
    late('a pop-up by text after 6,000 ms', (done) => `setTimeout(${JSON.stringify(done)}, 6000)`),
  ),
  warned(
    'late_timer',
    latePage('a pop-up after 6,000 ms beside a number that counts', (variant) => {
      return `${TICKS}${lateBody(`setTimeout(() => { ${show(variant)} }, 6000)`)}`;
    }),
  ),
  ...[6000, 8000].map((ms) => ({
    ...late(`a pop-up after ${ms} ms, which the limit includes`, (done) => `setTimeout(() => { ${done} }, ${ms})`),
    needs: settle(ms),
  })),
];

const worker = ({ word }) =>
  parameter(
    `oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onfetch = (event) => { if (event.request.url.endsWith('/said')) event.respondWith(new Response('${word}')) }`,
  );

const waiting = (name) =>
  latePage(name, (variant) => {
    return lateBody(
      `navigator.serviceWorker.register('/plain?type=text/javascript&body=${worker(variant)}', { scope: '/' }); navigator.serviceWorker.addEventListener('controllerchange', async () => { late.textContent = await (await fetch('/said')).text() })`,
    );
  });

/** Pages that wait for their service worker. */
export const WORKER_PAGES = [
  warned('service_worker_blocked', waiting('a service worker that is blocked')),
  { ...waiting('a service worker'), needs: { serviceWorkers: 'allow' } },
];
