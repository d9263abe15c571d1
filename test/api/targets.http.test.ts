import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { newSuite } from '../support/world.ts';
import { share, worldOf } from './fixture.ts';

let api: TestApi;
let first: Account;
let owner: Account;
let editor: Account;
let stranger: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  api = await startTestApi();
  first = await api.account('first');
  owner = await api.account('owner');
  editor = await api.account('editor');
  stranger = await api.account('stranger');
  suite = await newSuite(worldOf(api), owner.user, []);
  await share(api, suite, owner, editor, 'EDITOR');
});
afterAll(async () => {
  await api.stop();
});

const call = (method: string, path: string, as: Account, body?: unknown) =>
  api.request(method, `/api${path}`, { token: as.token, body });

const HOOK = { kind: 'WEBHOOK', name: 'Ours', url: 'https://hooks.example.com/secret-path' };

describe('a target of a suite', () => {
  it('shows its secret once and its address never, and belongs to the admins of the suite', async () => {
    const { status, body } = await call('POST', `/test-suites/${suite.id}/targets`, owner, HOOK);
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^whsec_/);
    const { id } = body.target;
    const listed = await call('GET', `/test-suites/${suite.id}/targets`, owner);
    expect(listed.body).toMatchObject([{ id, host: 'hooks.example.com', tells: 'ALWAYS', waiting: 0 }]);
    expect(JSON.stringify(listed.body)).not.toMatch(/secret-path|whsec_/);

    expect((await call('POST', `/targets/${id}/deliveries/0x9/send`, owner)).status).toBe(400);
    const requests: [string, string, number, unknown?][] = [
      ['PATCH', `/targets/${id}`, 200, { name: 'Theirs', listens: ['run.failed'] }],
      ['POST', `/targets/${id}/secret`, 200],
      ['POST', `/targets/${id}/test`, 202],
      ['GET', `/targets/${id}/deliveries`, 200],
      ['POST', `/targets/${id}/deliveries/9/send`, 404],
      ['DELETE', `/targets/${id}`, 200],
    ];
    for (const [method, path, expected, sent] of requests) {
      expect([path, (await call(method, path, editor, sent)).status]).toEqual([path, 403]);
      for (const nobody of [stranger, first]) {
        expect([path, (await call(method, path, nobody, sent)).status]).toEqual([path, 404]);
      }
      expect([path, (await call(method, path, owner, sent)).status]).toEqual([path, expected]);
    }
  });

  it('of Slack takes a bot, whose token it never shows, and no other target does', async () => {
    const path = `/test-suites/${suite.id}/targets`;
    const bot = { token: 'xoxb-1-secret', channel: 'C0123456789' };
    const wrong = [
      { kind: 'WEBHOOK', bot },
      { kind: 'SLACK', bot: { ...bot, token: 'xoxp-1' } },
      { kind: 'SLACK', bot: { ...bot, channel: '#general' } },
    ];
    for (const input of wrong) expect((await call('POST', path, owner, { ...HOOK, ...input })).status).toBe(400);
    const { body } = await call('POST', path, owner, { ...HOOK, kind: 'SLACK', bot });
    expect({ channel: body.target.channel, hidden: JSON.stringify(body).includes('xoxb') }).toEqual({
      channel: bot.channel,
      hidden: false,
    });
    const place = `/targets/${body.target.id}`;
    expect((await call('PATCH', place, owner, { name: 'Still' })).body.target.channel).toBe(bot.channel);
    const moved = { channel: 'C0000000009' };
    for (const sent of [moved, { ...bot, ...moved }]) {
      expect((await call('PATCH', place, owner, { bot: sent })).body.target.channel).toBe(moved.channel);
    }
    expect((await call('PATCH', place, owner, { bot: null })).body.target.channel).toBeNull();
    const { status, body: refused } = await call('PATCH', place, owner, { bot: moved });
    expect([status, refused.details.issues]).toEqual([400, [{ path: 'bot.token', message: 'must not be empty' }]]);
    const { body: events } = await call('GET', `/events?suiteId=${suite.id}&limit=4`, owner);
    const changes = events
      .filter((event: any) => event.kind === 'target.changed')
      .map(({ text }: any) => text.replace(/^.*: /, ''));
    expect(changes).toEqual(['channel and bot', 'channel and bot', 'name']);
    await call('DELETE', place, owner);
  });

  it('is in the record with who changed what, and without secrets', async () => {
    const { body } = await call('POST', `/test-suites/${suite.id}/targets`, owner, HOOK);
    const place = `/targets/${body.target.id}`;
    const same = { name: 'Theirs', url: 'https://other.example.com/new-path' };
    await call('PATCH', place, owner, { ...same, isActive: false });
    await call('PATCH', place, owner, same);
    await call('POST', `${place}/secret`, owner);
    await call('DELETE', place, owner);
    const { body: events } = await call('GET', `/events?suiteId=${suite.id}&limit=4`, owner);
    const told = events.map(({ kind, actor, text }: any) => [kind, actor.id, text.replace(/^\S+ /, '')]);
    expect(told).toEqual([
      ['target.deleted', owner.user.id, 'deleted the notice target Theirs'],
      ['target.secret_changed', owner.user.id, 'changed the secret of the notice target Theirs'],
      [
        'target.changed',
        owner.user.id,
        'changed 4 settings of the notice target Theirs: name, host, isActive, and url',
      ],
      ['target.created', owner.user.id, 'created the notice target Ours (hooks.example.com)'],
    ]);
    expect(events[2].details.changes[0]).toEqual({ setting: 'name', from: 'Ours', to: 'Theirs' });
    expect(JSON.stringify(events)).not.toMatch(/-path|whsec_/);
  });

  it('is refused with an address that is none, kinds that are none, and beyond twenty', async () => {
    const path = `/test-suites/${suite.id}/targets`;
    for (const wrong of [{ url: 'mailto:a@example.com' }, { listens: ['run.made'] }, { listens: [] }, { name: ' ' }]) {
      expect((await call('POST', path, owner, { ...HOOK, ...wrong })).status).toBe(400);
    }
    for (let made = 0; made < 20; made += 1) {
      expect((await call('POST', path, owner, { ...HOOK, kind: 'SLACK' })).body.secret).toBeNull();
    }
    expect((await call('POST', path, owner, HOOK)).status).toBe(409);
  });
});

describe('a target of the installation', () => {
  it('belongs to administrators', async () => {
    expect((await call('POST', '/targets', owner, HOOK)).status).toBe(403);
    expect((await call('GET', '/targets', owner)).status).toBe(403);
    const { status, body } = await call('POST', '/targets', first, HOOK);
    expect([status, body.target.testSuiteId]).toEqual([201, null]);
    expect((await call('GET', '/targets', first)).body).toHaveLength(1);
    expect((await call('DELETE', `/targets/${body.target.id}`, owner)).status).toBe(404);
    expect((await call('DELETE', `/targets/${body.target.id}`, first)).status).toBe(200);
  });
});
