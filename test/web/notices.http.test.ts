import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendDeliveries } from '../../src/notices/send-deliveries.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { share, worldOf } from '../api/fixture.ts';
import { startReceiver, type Receiver } from '../notices/receiver.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { newSuite } from '../support/world.ts';

let api: TestApi;
let receiver: Receiver;
let first: Account;
let owner: Account;
let suite: SuiteForViewer;
let other: SuiteForViewer;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startTestApi(), startReceiver()]);
  first = await api.account('first');
  owner = await api.account('owner');
  suite = await newSuite(worldOf(api), owner.user, []);
  other = await newSuite(worldOf(api), owner.user, []);
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const read = async (path: string, by = owner) =>
  api.request('GET', path, { token: by.token, headers: { accept: 'text/html' } });
const post = async (path: string, fields: Record<string, string> | [string, string][] = {}, by = owner) =>
  postForm(api, path, fields, { token: by.token });
const list = () => `/suites/${suite.id}/notices`;

const fieldsOf = (kind: string, name: string): [string, string][] => [
  ['kind', kind],
  ['name', name],
  ['url', receiver.url],
  ['listens', 'run.failed'],
  ['listens', 'crawl.failed'],
  ['tells', 'ALWAYS'],
];

/** Makes a target, and answers its path. */
async function create(kind: string, name: string, at = list(), by = owner): Promise<string> {
  const { status } = await post(at, fieldsOf(kind, name), by);
  expect([200, 303]).toContain(status);
  const row = await api.ctx.db('targets').where({ name }).first('id');
  return `${at}/${row.id}`;
}

const send = async (path: string) =>
  sendDeliveries(api.ctx, { targetId: path.split('/').at(-1) ?? '' }, { isClosing: () => false });

describe('the notices of a suite', () => {
  it('show a new webhook’s secret once, and its address never', async () => {
    const { status, body } = await post(list(), fieldsOf('WEBHOOK', 'Deploys'));
    expect(status).toBe(200);
    expect(body).toMatch(/whsec_[\w+/=]{20,}/);
    const row = await api.ctx.db('targets').where({ name: 'Deploys' }).first();
    expect(row).toMatchObject({ testSuiteId: suite.id, listens: ['run.failed', 'crawl.failed'], tells: 'ALWAYS' });
    for (const path of [list(), `${list()}/${row.id}`]) {
      const page = await read(path);
      expect(page.body).toContain(`127.0.0.1:${new URL(receiver.url).port}`);
      expect(page.body).not.toMatch(/whsec_|secret-in-the-address/);
    }
  });

  it('keep what was typed when it is refused, and what is ticked', async () => {
    const refused = await post(list(), [
      ['kind', 'SLACK'],
      ['name', ''],
      ['url', 'mailto:a@example.com'],
      ['listens', 'drift.found'],
      ['tells', 'FAILED'],
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('name="kind" value="SLACK"');
    expect(refused.body).toMatch(/value="drift.found" checked/);
    expect(refused.body).not.toMatch(/value="run.failed" checked/);
    const none = await post(list(), { kind: 'SLACK', name: 'Channel', url: receiver.url, tells: 'FAILED' });
    expect([none.status, none.body.includes('Must have at least one kind of event')]).toEqual([400, true]);
    const slack = { kind: 'SLACK', name: 'Channel', url: receiver.url, listens: 'run.failed', tells: 'FAILED' };
    const tokenless = await post(list(), { ...slack, channel: 'C0123456789', token: '' });
    expect([tokenless.status, tokenless.body.includes('value="C0123456789"')]).toEqual([400, true]);
  });

  it('start with what is usual for the kind', async () => {
    const { body } = await read(`${list()}?kind=TEAMS`);
    expect(body).toMatch(/value="run.failed" checked/);
    expect(body).not.toMatch(/value="comment.created" checked/);
    expect(body).toMatch(/value="FAILED" selected/);
  });

  it('change a target, whose address stays unless another one is typed', async () => {
    const path = await create('WEBHOOK', 'Old name');
    const fields = { name: 'New name', url: '', listens: 'run.completed', tells: 'FAILED' };
    expect(ledTo(await post(path, fields))).toEqual([303, path]);
    const row = await api.ctx.db('targets').where({ name: 'New name' }).first();
    expect(row).toMatchObject({ host: new URL(receiver.url).host, listens: ['run.completed'], tells: 'FAILED' });
    await post(path, { ...fields, url: 'https://elsewhere.example/hook' });
    expect((await read(path)).body).toContain('elsewhere.example');
    expect((await post(path, { ...fields, name: '' })).status).toBe(400);
  });

  it('change no target that somebody has changed since the page was opened', async () => {
    const path = await create('WEBHOOK', 'In two tabs');
    const versionIn = async () => /name="version" value="([^"]*)"/.exec(String((await read(path)).body))?.[1] ?? '';
    const [version, fields] = [await versionIn(), { name: 'In two tabs', url: '', tells: 'FAILED' }];
    const less = { ...fields, listens: 'run.failed', version };
    expect(ledTo(await post(path, less))).toEqual([303, path]);
    const stale = await post(path, [...Object.entries({ ...less, name: 'Renamed' }), ['listens', 'crawl.failed']]);
    expect([stale.status, stale.body]).toEqual([409, expect.stringContaining('was changed in the meantime')]);
    const row = await api.ctx.db('targets').where({ name: 'In two tabs' }).first('listens');
    expect(row).toMatchObject({ listens: ['run.failed'] });
    await post(`${path}/test`);
    expect(ledTo(await post(path, { ...less, name: 'Renamed', version: await versionIn() }))).toEqual([303, path]);
  });

  it('send a test, show request and answer, and send it again', async () => {
    const path = await create('WEBHOOK', 'Tested');
    receiver.answer({ status: 200, body: 'thank you <b>' });
    expect(ledTo(await post(`${path}/test`))).toEqual([303, path]);
    await send(path);
    const { body } = await read(path);
    for (const part of ['Delivered', 'thank you &lt;b&gt;', '&quot;type&quot;: &quot;test&quot;', 'Working']) {
      expect(body).toContain(part);
    }
    const [, again = ''] = /action="([^"]+\/deliveries\/\d+\/send)"/.exec(body) ?? [];
    const before = receiver.received.length;
    expect(ledTo(await post(again))).toEqual([303, path]);
    await send(path);
    expect(receiver.received).toHaveLength(before + 1);
    expect((await post(`${path}/deliveries/999999/send`)).status).toBe(404);
  });

  it('say of Teams that a message was accepted, not that it arrived', async () => {
    const path = await create('TEAMS', 'Channel of Teams');
    receiver.answer({ status: 202 });
    await post(`${path}/test`);
    await send(path);
    const { body } = await read(path);
    expect(body).toContain('Accepted');
    expect(body).not.toContain('Delivered');
  });

  it('say which target backs off, is given up, or is switched off', async () => {
    const path = await create('WEBHOOK', 'In trouble');
    receiver.answer({ status: 503 });
    await post(`${path}/test`);
    await send(path);
    for (const page of [path, list()]) expect((await read(page)).body).toContain('Backing off');
    receiver.answer({ status: 410 });
    await post(`${path}/test`);
    await send(path);
    const given = await read(path);
    expect(given.body).toContain('Given up');
    expect(given.body).toContain('It answered 410');
    expect(given.body).toContain('Use again');
    await post(`${path}/on`);
    expect((await read(path)).body).toContain('Working');
    await post(`${path}/off`);
    expect((await read(path)).body).toContain('Switched off');
    receiver.answer({ status: 200 });
  });

  it('give a webhook another secret, shown once, and a channel none', async () => {
    const path = await create('WEBHOOK', 'Rotated');
    const { status, body } = await post(`${path}/secret`);
    expect([status, /whsec_/.test(body), body.includes('24 hours')]).toEqual([200, true, true]);
    const channel = await create('SLACK', 'Channel of Slack');
    expect((await read(channel)).body).not.toContain('New secret');
    expect((await post(`${channel}/secret`)).status).toBe(400);
  });

  it('delete a target', async () => {
    const path = await create('SLACK', 'Short-lived');
    expect(ledTo(await post(`${path}/delete`))).toEqual([303, list()]);
    expect((await read(path)).status).toBe(404);
  });
});

const ACTIONS = ['', '/test', '/off', '/on', '/secret', '/delete', '/deliveries/1/send'];

describe('a target', () => {
  it('is found only below the suite that it belongs to', async () => {
    const path = await create('WEBHOOK', 'Elsewhere');
    const id = path.split('/').at(-1);
    const ofAll = await create('WEBHOOK', 'Of all', '/notices', first);
    const below = [`/suites/${other.id}/notices/${id}`, `${list()}/${ofAll.split('/').at(-1)}`];
    for (const wrong of below) {
      expect((await read(wrong)).status).toBe(404);
      for (const action of ACTIONS) {
        const fields = action === '' ? fieldsOf('WEBHOOK', 'Taken') : {};
        expect([action, (await post(wrong + action, fields)).status]).toEqual([action, 404]);
      }
    }
    expect((await read(`/notices/${id}`, first)).status).toBe(404);
    expect((await read(path)).status).toBe(200);
    expect((await read(ofAll, first)).status).toBe(200);
  });

  it('of the installation belongs to administrators, and of a suite to those who may change its targets', async () => {
    const editor = await api.account('editor');
    await share(api, suite, owner, editor, 'EDITOR');
    const [ofSuite, ofAll] = [
      await create('WEBHOOK', 'Guarded'),
      await create('WEBHOOK', 'Guarded of all', '/notices', first),
    ];
    for (const [path, by, status] of [
      [ofSuite, editor, 403],
      [ofSuite, first, 404],
      [ofAll, owner, 403],
    ] as const) {
      expect((await read(path, by)).status).toBe(status);
      for (const action of ACTIONS) {
        const fields = action === '' ? fieldsOf('WEBHOOK', 'Taken') : {};
        expect([action, (await post(path + action, fields, by)).status]).toEqual([action, status]);
      }
    }
    expect(ledTo(await post(`${ofAll}/test`, {}, first))).toEqual([303, ofAll]);
    expect(ledTo(await post(`${ofAll}/delete`, {}, first))).toEqual([303, '/notices']);
  });

  it('is not changed from the page of another site', async () => {
    const path = await create('WEBHOOK', 'Foreign');
    const foreign = { origin: 'https://elsewhere.example', cookie: `pixelgate_session=${owner.token}` };
    for (const action of ACTIONS) {
      expect((await postForm(api, path + action, {}, { headers: foreign })).status).toBe(403);
    }
  });
});
