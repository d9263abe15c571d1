import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pruneDeliveries } from '../../../src/github/webhooks/store-delivery.ts';
import { codeOf, startTestApi, type TestApi } from '../../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders, signatureOf } from '../../support/github-app.ts';
import { handleDeliveries } from '../../support/take-deliveries.ts';
import { pullRequestEvent, sha } from './pull-request-payloads.ts';

const PATH = '/api/github/webhooks';
const DAY_MS = 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(APP_ENVIRONMENT);
});
afterAll(async () => api.stop());

type Delivery = { event?: string; id?: string; body?: string | Buffer; headers?: Record<string, string> };

async function deliver({ event = 'ping', id = randomUUID(), body = '{"zen":"…"}', headers = {} }: Delivery) {
  return api.request('POST', PATH, { raw: body, headers: { ...deliveryHeaders(event, id, body), ...headers } });
}

const deliveries = () => api.ctx.db('webhook_deliveries');

const installed = (id: number, login = 'Octo') =>
  JSON.stringify({
    action: 'created',
    installation: {
      id,
      account: { login, type: 'Organization' },
      permissions: { checks: 'write' },
      events: ['status'],
    },
    repositories: [{ full_name: `${login}/site` }],
  });

describe('a delivery', () => {
  it('is noted with what it is about, and answered at once', async () => {
    const body = '{"action":"labeled","installation":{"id":5},"repository":{"full_name":"Octo/Site"},"ü":"é"}';
    expect(await deliver({ event: 'issues', id: 'one', body })).toMatchObject({
      status: 200,
      body: { message: 'Delivery accepted' },
    });
    expect(await deliveries().where({ id: 'one' }).first()).toMatchObject({
      event: 'issues',
      action: 'labeled',
      installationId: 5,
      repository: 'octo/site',
      receivedAt: expect.any(Date),
    });
  });

  it('changes nothing when it comes again, also twice at once', async () => {
    const id = randomUUID();
    const body = installed(77);
    const send = async () => deliver({ event: 'installation', id, body });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await handleDeliveries(api.ctx);
    expect(await api.ctx.db('code_host_installations').where({ installation_id: 77 })).toHaveLength(1);
    await api.ctx.db('code_host_installations').where({ installation_id: 77 }).delete();
    expect((await send()).status).toBe(200);
    await handleDeliveries(api.ctx);
    expect(await api.ctx.db('code_host_installations').where({ installation_id: 77 })).toEqual([]);
    expect(await deliveries().where({ id })).toHaveLength(1);
  });

  it('is signed over its bytes, whether or not they are text', async () => {
    const id = randomUUID();
    const body = Buffer.concat([Buffer.from('{"action":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect((await deliver({ event: 'issues', id, body })).status).toBe(200);
    expect(await deliveries().where({ id }).pluck('action')).toEqual(['\ufffd\ufffd']);
  });

  it('may have NUL in names, which PostgreSQL takes in no text', async () => {
    const head = sha('a110');
    const event = pullRequestEvent('opened', { number: 6, head, at: 0, branch: 'nul\0 and \\u0000' });
    const [first, second] = [randomUUID(), randomUUID()];
    expect((await deliver({ event: 'pull_request', id: first, body: JSON.stringify(event) })).status).toBe(200);
    expect((await deliver({ event: 'issues', id: second, body: '{"action":"\\u0000"}' })).status).toBe(200);
    await handleDeliveries(api.ctx);
    const branches = await api.ctx.db('pull_requests').where({ head_sha: head }).pluck('head_branch');
    expect(branches).toEqual(['nul\ufffd and \\u0000']);
  });

  it('is forgotten after 30 days', async () => {
    await deliver({ id: 'old' });
    api.advance(29 * DAY_MS);
    await deliver({ id: 'young' });
    api.advance(2 * DAY_MS);
    await pruneDeliveries(api.ctx);
    expect(await deliveries().whereIn('id', ['old', 'young']).pluck('id')).toEqual(['young']);
  });
});

describe('a delivery is refused, and nothing noted,', () => {
  const refusal = async (delivery: Delivery) => {
    const id = randomUUID();
    const answer = codeOf(await deliver({ id, ...delivery }));
    return [...answer, (await deliveries().where({ id })).length];
  };

  it.each(['', 'sha256=', 'sha256=00', 'sha1=abc', signatureOf(installed(1), 'development'), signatureOf('{}')])(
    'without a signature that is of its body (%s)',
    async (signature) => {
      const headers = { 'x-hub-signature-256': signature };
      expect(await refusal({ body: installed(1), headers })).toEqual([401, 'unauthenticated', 0]);
    },
  );

  it.each([
    ['x-github-event', '', 400, 'headers_malformed'],
    ['x-github-event', 'a b', 400, 'headers_malformed'],
    ['x-github-delivery', '', 400, 'headers_malformed'],
    ['content-type', 'text/plain', 415, 'unsupported_media_type'],
  ])('when its %s is "%s"', async (name, value, status, code) => {
    expect(await refusal({ headers: { [name]: value } })).toEqual([status, code, 0]);
  });

  it.each([
    ['{"half":', 'malformed_json'],
    ['', 'malformed_json'],
    ['[]', 'payload_malformed'],
  ])('when its body is no JSON object: %s', async (body, code) => {
    expect(await refusal({ body })).toEqual([400, code, 0]);
  });

  it.each(['pull_request', 'installation', 'check_run', 'status', 'merge_group', 'repository'])(
    'when its body is not one of its event, %s',
    async (event) => {
      expect(await refusal({ event, body: '{}' })).toEqual([400, 'payload_malformed', 0]);
    },
  );

  it('when it is larger than any that GitHub sends', async () => {
    const answer = await deliver({ id: randomUUID(), body: `"${'x'.repeat(25 * 1024 * 1024)}"` });
    expect(answer).toMatchObject({ status: 413, body: { error: 'The delivery is larger than 25 MiB' } });
  });

  it('by any other method', async () => {
    const answer = await api.request('GET', PATH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('without a GitHub App', () => {
  it('there is no one to take a delivery', async () => {
    const bare = await startTestApi();
    const body = '{}';
    const answer = await bare.request('POST', PATH, { raw: body, headers: deliveryHeaders('ping', 'x', body) });
    expect(answer.status).toBe(404);
    await bare.stop();
  });
});
