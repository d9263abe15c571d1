import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { boxFont } from './box-font.js';
import { CHANGED, USUAL } from './corpus-page.js';
import { movingImage } from './moving-image.js';

const wrapBody = (body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Corpus</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

const send = (response, type, body) =>
  response
    .writeHead(200, {
      'content-type': type,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'service-worker-allowed': '/',
    })
    .end(body);

/** How many times something was asked for that differs each time. */
let count = 0;
const next = () => (count += 1);

/** What pages ask for, by the first part of the path. Each is called with the query's parameters, and a timer. */
const ANSWERS = {
  echo: (response, { body = '' }) => send(response, 'text/html', wrapBody(body)),
  plain: (response, { body = '', type = 'text/html' }) => send(response, type, body),
  /** The body after some time. */
  wait(response, { ms, type = 'text/plain', body = '' }, later) {
    later(Number(ms), () => send(response, type, body));
  },
  /** Never. */
  hang: () => undefined,
  /** Headers and half of the body at once, the rest after some time. */
  parts(response, { ms, type = 'text/html', body = '', rest = '' }, later) {
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).write(body);
    later(Number(ms), () => response.end(rest));
  },
  events(response, { ms, body = 'now' }, later) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    later(Number(ms), () => response.write(`data: ${body}\n\n`));
  },
  'count.js': (response) => send(response, 'text/javascript', `document.write('<p id="hidden">View ${next()}</p>')`),
  count: (response) => send(response, 'text/plain', String(next())),
  ad: (response) => {
    send(response, 'text/html', `<body style="margin:0;background:hsl(${next() * 67} 70% 60%)">Offer ${next()}`);
  },
  async moving(response, { format, color }) {
    send(response, `image/${format}`, await movingImage(color, format));
  },
  async video(response, { word }) {
    send(response, 'video/webm', await readFile(new URL(`files/${word.toLowerCase()}.webm`, import.meta.url)));
  },
  font(response, { ms = '0' }, later) {
    later(Number(ms), () => send(response, 'font/ttf', boxFont()));
  },
};

/** Accepts a WebSocket and says one thing after some time. */
function speak(request, socket, later) {
  const { searchParams } = new URL(request.url, 'http://corpus');
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  const text = Buffer.from(searchParams.get('body') ?? 'now');
  later(Number(searchParams.get('ms')), () => socket.write(Buffer.concat([Buffer.from([129, text.length]), text])));
}

function timers() {
  const running = new Set();
  return {
    later(ms, work) {
      const timer = setTimeout(() => {
        running.delete(timer);
        work();
      }, ms);
      running.add(timer);
    },
    stop() {
      for (const timer of running) clearTimeout(timer);
    },
  };
}

/** Serves the pages, and what they ask for: answers that take their time, streams, images that move. */
export async function startCorpusServer(pages) {
  const { later, stop } = timers();
  const sockets = new Set();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://corpus');
    const [, kind, index] = pathname.split('/');
    const page = pages[Number(index)];
    const answer = ANSWERS[kind];
    if (page !== undefined && (kind === 'usual' || kind === 'changed')) {
      const variant = kind === 'usual' ? USUAL : CHANGED;
      if (page.serve === undefined) send(response, 'text/html', wrapBody(page.body(variant)));
      else page.serve(response, variant, later);
    } else if (answer === undefined) {
      response.writeHead(404).end();
    } else {
      Promise.resolve(answer(response, Object.fromEntries(searchParams), later)).catch(() => response.destroy());
    }
  });
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    speak(request, socket, later);
  });
  await new Promise((resolve) => {
    server.listen(0, resolve);
  });
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('The server has no port');
  return {
    address: (page, changed) =>
      `http://127.0.0.1:${listening.port}/${changed ? 'changed' : 'usual'}/${pages.indexOf(page)}`,
    async close() {
      stop();
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
