import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Network } from '../../src/net/network.ts';
import { attemptDelivery } from '../../src/notices/attempt-delivery.ts';
import type { Message } from '../../src/notices/message.ts';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { paint, reviewRun, suiteOf } from '../web/review-fixture.ts';

const TOKEN = 'xoxb-of-the-bot';
const CHANNEL = 'C0123456789';
const SIZE = { width: 1280, height: 900 };

type Asked = { path: string; authorization: string | undefined; body: Buffer };

let api: TestApi;
let slack: http.Server;
let address: string;
let network: Network;
let asked: Asked[];
let refusal: string | null;
let message: Message;

const answerTo = (path: string, count: number) => {
  if (path === '/upload') return 'OK';
  if (refusal !== null && path.startsWith('/api/')) return JSON.stringify({ ok: false, error: refusal });
  if (path !== '/api/files.getUploadURLExternal') return path.startsWith('/api/') ? JSON.stringify({ ok: true }) : 'ok';
  return JSON.stringify({ ok: true, upload_url: `${address}/upload`, file_id: `F${count}` });
};

/** Four changes, of which the smallest has no room among the three pictures. */
const SIDES = { a: 40, b: 400, c: 100, d: 300 };

beforeAll(async () => {
  api = await startTestApi();
  slack = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      asked.push({ path, authorization: request.headers.authorization, body: Buffer.concat(chunks) });
      response.end(answerTo(path, asked.length));
    });
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
  const { fetch } = api.ctx.network;
  const local = (url: string) => url.replace('https://slack.com', address);
  network = { ...api.ctx.network, fetch: async (input) => fetch({ ...input, url: local(input.url) }) };
  const owner = await api.account('owner');
  const suite = await suiteOf(api, owner.user, ['/']);
  const screens = { baseline: await paint(SIZE), current: await paint(SIZE, [{ x: 100, y: 100 }]) };
  const { id, results } = await reviewRun(api, suite, { '/': screens });
  const changes = Object.entries(SIDES).map(([letter, side]) => {
    const box = { x: 20, y: 20, width: side, height: side };
    return changeOf(letter, { summary: `Change ${letter}`, baselineBox: box, currentBox: box });
  });
  await replaceChanges(api.ctx.db, { id: results['/'] ?? '', testRunId: id }, changes);
  message = {
    type: 'run.completed',
    timestamp: '2026-11-25T12:00:00.000Z',
    data: {
      suite: null,
      run: { id, number: 1, name: '#1 <!channel>', url: 'https://gate.example/runs/1' },
      actor: { kind: 'clock', name: null, via: null },
      causes: [{ summary: 'Change a', element: 'header', results: 1 }],
      details: {},
    },
  };
});
afterAll(async () => {
  slack.closeAllConnections();
  await new Promise((resolve) => slack.close(resolve));
  await api.stop();
});
beforeEach(() => {
  asked = [];
  refusal = null;
});

const send = async (bot?: { token: string; channel: string }) =>
  attemptDelivery(
    { ...api.ctx, network },
    'SLACK',
    { url: `${address}/services/hook`, ...(bot === undefined ? {} : { bot }) },
    { messageId: 'event_1', message },
  );

describe('a Slack target with a bot', () => {
  it('uploads pictures of the three largest changes after the message', async () => {
    const attempt = await send({ token: TOKEN, channel: CHANNEL });
    expect(attempt).toMatchObject({ error: null, status: 200, answer: 'ok\n3 pictures uploaded' });
    expect(asked[0]?.path).toBe('/services/hook');
    const last = asked.at(-1);
    const form = Object.fromEntries(new URLSearchParams(last?.body.toString()));
    expect({ path: last?.path, authorization: last?.authorization }).toEqual({
      path: '/api/files.completeUploadExternal',
      authorization: `Bearer ${TOKEN}`,
    });
    expect(form).toMatchObject({ channel_id: CHANNEL, initial_comment: 'The largest changes of #1 &lt;!channel&gt;' });
    const titles = JSON.parse(form['files'] ?? '[]').map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Change b', 'Change d', 'Change c']);
    const places = asked.filter(({ path }) => path === '/api/files.getUploadURLExternal');
    const uploads = asked.filter(({ path }) => path === '/upload');
    const lengths = places.map(({ body }) => Number(new URLSearchParams(body.toString()).get('length')));
    const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other);
    expect(sorted(uploads.map(({ body }) => body.length))).toEqual(sorted(lengths));
    const widths = await Promise.all(uploads.map(async ({ body }) => (await sharp(body).metadata()).width));
    expect(Math.max(...widths)).toBe(432);
    // The address of the upload has its own secret: the token stays with the API.
    expect(uploads.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined]);
  });

  it('says why there are no pictures, and counts the message as sent', async () => {
    refusal = 'not_in_channel';
    const attempt = await send({ token: TOKEN, channel: CHANNEL });
    expect(attempt).toMatchObject({
      error: null,
      answer: 'ok\nNo pictures were uploaded. Slack refused: not_in_channel',
    });
  });

  it('without one asks Slack for nothing but to show the message', async () => {
    expect(await send()).toMatchObject({ error: null, answer: 'ok' });
    expect(asked.map(({ path }) => path)).toEqual(['/services/hook']);
  });
});
