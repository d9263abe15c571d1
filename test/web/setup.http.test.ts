import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders, PRIVATE_KEY, signatureOf } from '../support/github-app.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { unescapeHtml } from '../support/web-form.ts';

stubHttp();

const PUBLIC_URL = 'https://pixelgate.example';
const GITHUB = 'http://github.test:8080';
const SECRETS = { client_secret: 'the client secret', webhook_secret: 'the webhook secret', pem: PRIVATE_KEY };

let api: TestApi;
let first: Account;
let second: Account;
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL, GHE_HOST: 'github.test:8080', GHE_PROTOCOL: 'http' });
  first = await api.account('first');
  second = await api.account('second');
});
afterEach(async () => {
  nock.cleanAll();
  await api.ctx.db('github_app').delete();
});
afterAll(async () => {
  await api.stop();
});

const open = async (path: string, { token }: { token?: string } = first) => api.request('GET', path, { token });

/** The form that is sent to GitHub: its action and its manifest. */
function formIn(page: string): { action: URL; manifest: any } {
  const [, action = ''] = /<form method="post" action="(http[^"]*)"/.exec(page) ?? [];
  const [, manifest = ''] = /name="manifest" value="([^"]*)"/.exec(page) ?? [];
  return { action: new URL(unescapeHtml(action)), manifest: JSON.parse(unescapeHtml(manifest)) };
}

async function stateFor(account = first): Promise<string> {
  return formIn((await open('/setup', account)).body).action.searchParams.get('state') ?? '';
}

const conversion = (code: string) => nock(GITHUB).post(`/api/v3/app-manifests/${code}/conversions`);
const created = {
  id: 4711,
  slug: 'pixelgate-octo',
  name: 'Pixelgate <Octo>',
  html_url: 'http://github.test:8080/apps/pixelgate-octo',
  client_id: 'Iv1.abc',
  ...SECRETS,
};
const comeBack = async (code: string, state: string, account = first) =>
  open(`/setup/callback?${new URLSearchParams({ code, state }).toString()}`, account);
const storedApps = () => api.ctx.db('github_app');

async function ping(secret: string): Promise<number> {
  const body = '{"zen":"…"}';
  const headers = { ...deliveryHeaders('ping', 'x', body), 'x-hub-signature-256': signatureOf(body, secret) };
  return (await api.request('POST', '/api/github/webhooks', { raw: body, headers })).status;
}

describe('the set-up page', () => {
  it('is for the first user alone', async () => {
    const stranger = await open('/setup', {});
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fsetup']);
    const refused = await open('/setup', second);
    expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('Only an administrator can connect') });
    expect(refused.body).not.toContain('name="manifest"');
    expect((await open('/setup/callback?code=a&state=b', second)).status).toBe(403);
  });

  it('has a form that takes the manifest to GitHub', async () => {
    const { status, headers, body } = await open('/setup');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${GITHUB}`);
    const { action, manifest } = formIn(body);
    expect(action.origin + action.pathname).toBe(`${GITHUB}/settings/apps/new`);
    expect(manifest).toMatchObject({
      url: PUBLIC_URL,
      redirect_url: `${PUBLIC_URL}/setup/callback`,
      hook_attributes: { url: `${PUBLIC_URL}/api/github/webhooks` },
    });
  });

  it('leads to an organization that is named, and to no other place', async () => {
    const { action } = formIn((await open('/setup?organization=octo-org')).body);
    expect(action.pathname).toBe('/organizations/octo-org/settings/apps/new');
    const refused = await open('/setup?organization=octo%2F..%2F..');
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('Is not the name of an organization') });
    expect(refused.body).not.toContain('name="manifest"');
  });
});

describe('coming back from GitHub', () => {
  it('stores the App with its secrets sealed, and puts it to use at once', async () => {
    expect(await ping(SECRETS.webhook_secret)).toBe(404);
    conversion('code-1').reply(201, created);
    const answer = await comeBack('code-1', await stateFor());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/setup']);
    const row = await storedApps().first();
    expect(row).toMatchObject({ appId: 4711, clientId: 'Iv1.abc', createdBy: first.user.id });
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(row)).not.toContain(secret);
    expect([await ping(SECRETS.webhook_secret), await ping('development')]).toEqual([200, 401]);
    const { body } = await open('/setup');
    expect(body).toContain('Sign in with GitHub to see your repositories.');
    expect(body).toContain('Pixelgate &lt;Octo&gt;');
    expect(body).toContain(`${created.html_url}/installations/new`);
  });

  it('takes one App only', async () => {
    const state = await stateFor();
    conversion('code-1').reply(201, created);
    await comeBack('code-1', state);
    expect((await comeBack('code-2', state)).status).toBe(409);
    expect(await storedApps().pluck('app_id')).toEqual([4711]);
  });

  it('is refused with a state that is forged, too old, or missing', async () => {
    const state = await stateFor();
    expect((await comeBack('code', `${state}x`)).status).toBe(400);
    expect((await open('/setup/callback?code=a')).status).toBe(400);
    api.advance(3_600_001);
    expect((await comeBack('code', state)).status).toBe(400);
    expect(await storedApps()).toEqual([]);
  });

  it('says so when GitHub does not know the code or cannot be reached, and can be tried again', async () => {
    const state = await stateFor();
    conversion('spent').reply(404, { message: 'Not Found' });
    expect(await comeBack('spent', state)).toMatchObject({ status: 422, body: expect.stringContaining('Start again') });
    conversion('code').replyWithError('connection reset');
    expect((await comeBack('code', state)).status).toBe(503);
    conversion('code').reply(201, created);
    expect((await comeBack('code', state)).status).toBe(303);
  });

  it('replaces an App whose secrets can no longer be opened', async () => {
    await storedApps().insert({
      app_id: 1,
      slug: 'lost',
      name: 'Lost',
      html_url: 'http://github.test/apps/lost',
      client_id: 'Iv1.lost',
      encrypted_secrets: 'v1.sealed-with-another-secret',
    });
    expect((await open('/setup')).body).toContain('“Lost”');
    conversion('code').reply(201, created);
    expect((await comeBack('code', await stateFor())).status).toBe(303);
    expect(await storedApps().pluck('app_id')).toEqual([4711]);
  });
});

describe('an App in the environment', () => {
  it('wins', async () => {
    const configured = await startTestApi(APP_ENVIRONMENT);
    const { token } = await configured.account();
    const { status, body } = await configured.request('GET', '/setup', { token });
    expect([status, body.includes('configured with environment variables')]).toEqual([200, true]);
    expect((await configured.request('GET', '/setup/callback?code=a&state=b', { token })).status).toBe(400);
    await configured.stop();
  });
});

describe('the set-up page of a service that GitHub cannot reach', () => {
  it('creates no app, and says what to do', async () => {
    const laptop = await startTestApi({ PUBLIC_URL: 'http://localhost:3000' });
    try {
      const owner = await laptop.account('owner');
      const { status, body } = await laptop.request('GET', '/setup', { token: owner.token });
      expect(status).toBe(200);
      expect(body).not.toContain('name="manifest"');
      expect(body).toMatch(/GitHub can’t deliver events to <code[^>]*>http:\/\/localhost:3000<\/code>/);
      expect(body).toContain('Set <code>PUBLIC_URL</code> to an address that GitHub can reach');
    } finally {
      await laptop.stop();
    }
  });
});
