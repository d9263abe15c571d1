import { createServer } from 'node:http';
import sharp from 'sharp';
import { CHANGED, USUAL } from './corpus-page.js';

const document = (body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Corpus</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

/** Three frames; only the first has the color. */
async function movingImage(color, format) {
  const frames = [color, 'white', 'black'].map((background) => ({
    create: { width: 60, height: 40, channels: 3, background },
  }));
  const pages = await Promise.all(frames.map(async ({ create }) => sharp({ create }).png().toBuffer()));
  const moving = sharp(pages, { join: { animated: true } });
  return format === 'gif'
    ? moving.gif({ delay: [90, 90, 90] }).toBuffer()
    : moving.webp({ delay: [90, 90, 90] }).toBuffer();
}

const send = (response, type, body) =>
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);

/** Serves the pages, and what they ask for: answers that take their time, streams, images that move. */
export async function startCorpusServer(pages) {
  let count = 0;
  const timers = new Set();
  const later = (ms, work) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://corpus');
    const body = searchParams.get('body') ?? '';
    const ms = Number(searchParams.get('ms'));
    const [, kind, index] = pathname.split('/');
    const page = pages[Number(index)];
    if (page !== undefined && (kind === 'usual' || kind === 'changed')) {
      send(response, 'text/html', document(page.body(kind === 'usual' ? USUAL : CHANGED)));
    } else if (kind === 'echo') {
      send(response, 'text/html', document(body));
    } else if (kind === 'wait') {
      later(ms, () => send(response, searchParams.get('type') ?? 'text/plain', body));
    } else if (kind === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      later(ms, () => response.write('data: now\n\n'));
    } else if (kind === 'count.js') {
      count += 1;
      send(response, 'text/javascript', `document.write('<p id="hidden">View ${count}</p>')`);
    } else if (kind === 'moving.gif' || kind === 'moving.webp') {
      const format = kind === 'moving.gif' ? 'gif' : 'webp';
      movingImage(searchParams.get('color') ?? '', format).then(
        (image) => send(response, `image/${format}`, image),
        () => response.writeHead(500).end(),
      );
    } else {
      response.writeHead(404).end();
    }
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
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
